import Bus

/// Runs a job for one subscriber: steps the machine, and does what it answers. Kept by its timers, requests and runs until
/// the machine says that nothing follows. Disposing of it stops the job.
final class JobSubscription<Downstream: Observer & ~Copyable, Wall: WallTimedScheduler, Boot: TimedScheduler>:
    LiveJob, Disposable, @unchecked Sendable
where Downstream.Value == JobEvent, Downstream.Failure == Never {
    private let output: SerialObserver<Downstream>
    private let job: Job<Wall, Boot>
    // In the object itself: there may be many. The word guards the state; hence no exclusivity check.
    private let word = LockWord()
    @exclusivity(unchecked) private var state: JobSubscriptionState

    init(_ output: SerialObserver<Downstream>, _ job: Job<Wall, Boot>) {
        self.output = output
        self.job = job
        let moment = JobMachine.Moment(wall: job.wall.now, boot: job.boot.now)
        state = JobSubscriptionState(JobMachine(job.plan, at: moment))
    }

    private func locked<Result>(_ body: (inout JobSubscriptionState) -> Result) -> Result {
        word.lock()
        defer { word.unlock() }
        return body(&state)
    }

    func start(until stop: AnySignal<Void, Never>?, _ changes: AnySignal<Void, Never>?) {
        JobRegistry.shared.add(self, on: job.wall)
        output.resources.add(self)
        if let changes {
            output.resources.add(changes.subscribe(next: { [weak self] _ in self?.post(ifBegun: .changed) }))
        }
        if let stop {
            output.resources.add(
                stop.subscribe(
                    next: { [weak self] _ in self?.post(.stop) },
                    completed: { [weak self] in self?.post(.stop) }
                )
            )
        }
        JobRegistry.shared.start(self, with: job.firstAsked)
    }

    override func begin() {
        locked { state in
            state.hasBegun = true
            state.isStarting = true
        }
        // On the scheduler, as all that follows from time.
        _ = setTimer(at: .distantPast, on: job.wall)
    }

    func dispose() { post(.stop) }

    var isDisposed: Bool { locked { $0.machine.isStopping || $0.machine.isFinished } }

    override func wake() { post(ifBegun: .wake) }

    /// A job that has not begun looks at everything when it does.
    private func post(ifBegun event: JobMachine.Event) {
        if locked({ $0.hasBegun }) { post(event) }
    }

    override var status: JobStatus? {
        let moment = JobMachine.Moment(wall: job.wall.now, boot: job.boot.now)
        var status = locked { $0.machine.status(at: moment) }
        if status.lease == .wanted { status.holder = job.lease?.holderName(of: job.plan.name) }
        return status
    }

    /// Steps the machine. Events of several threads are taken one after another, and so is what follows from them.
    private func post(_ event: JobMachine.Event) {
        var next = locked { state -> JobMachine.Event? in
            guard state.isStepping else {
                state.isStepping = true
                return event
            }
            state.events.append(event)
            return nil
        }
        while let event = next {
            step(event)
            next = locked { state in
                if !state.events.isEmpty { return state.events.removeFirst() }
                // Gives the memory back, too.
                state.events = []
                state.isStepping = false
                return nil
            }
        }
    }

    private func step(_ event: JobMachine.Event) {
        let moment = JobMachine.Moment(wall: job.wall.now, boot: job.boot.now)
        let (actions, deadlines, hasStarted) = locked { state in
            let actions = state.machine.step(event, at: moment)
            let hasStarted = state.isStarting && !state.machine.isAsking
            if hasStarted { state.isStarting = false }
            return (actions, state.machine.deadlines(after: moment), hasStarted)
        }
        for action in actions { perform(action) }
        if hasStarted { JobRegistry.shared.started(with: job.firstAsked) }
        arm(\.wallTimer, deadlines.wall, job.wall)
        arm(\.activity.bootTimer, deadlines.boot, job.boot)
    }

    private func arm(
        _ timer: WritableKeyPath<JobSubscriptionState, TimerHandle?>,
        _ deadline: TimerInstant?,
        _ scheduler: some TimedScheduler
    ) {
        guard let deadline else {
            locked { $0[keyPath: timer].take() }?.cancel()
            return
        }
        guard locked({ $0[keyPath: timer] })?.reschedule(to: deadline) != true else { return }
        let handle = setTimer(at: deadline, on: scheduler)
        locked { $0[keyPath: timer] = handle }
    }

    private func perform(_ action: JobMachine.Action) {
        let name = job.plan.name
        switch action {
        case .acquire(let id): ask { .granted(request: id, await $0.leased { try await $0.acquire(name) }) }
        case .renew(let id, let grant):
            ask { .renewed(request: id, await $0.leased { try await $0.renew(grant, of: name) }) }
        case .release(let grant):
            Task(executorPreference: job.executor) { [job] in await job.lease?.release(grant, of: name) }
        case .load(let id): askStore({ try await $0.load(name) }, then: { .loaded(request: id, $0) })
        case .save(let id, let record):
            askStore({ try await $0.save(record, of: name) }, then: { .saved(request: id, $0) })
        case .start(let run): start(run)
        case .cancel(let number): locked { $0.activity.runs[number] ?? nil }?.cancel()
        case .tell(let event):
            // The job may have nothing to tell for long, so the end that follows a stop is made here. It stops the job.
            if output.next(event) == .stop { output.terminate(.completed) }
        case .finish: finish()
        }
    }

    private func ask(_ request: @escaping @Sendable (Job<Wall, Boot>) async -> JobMachine.Event) {
        Task(executorPreference: job.executor) { self.post(await request(self.job)) }
    }

    /// Asks unless an earlier request has not returned, which is cancelled then: requests that nobody waits for any more would
    /// pile up in front of a store that hangs. Called in a step, of which there is one at a time.
    private func askStore<Answer: Sendable>(
        _ request: @escaping @Sendable (any JobStore) async throws -> Answer,
        then event: @escaping @Sendable (Result<Answer, JobFault>) -> JobMachine.Event
    ) {
        let isFree = locked { state in
            defer { state.activity.isAskingStore = true }
            return !state.activity.isAskingStore
        }
        guard isFree else {
            locked { $0.activity.storeRequest }?.cancel()
            return post(event(.failure(JobFault("the store has not answered an earlier request"))))
        }
        // Without the lock: an executor may run it at once. What it posts waits until this step is done.
        let task = Task(executorPreference: job.executor) {
            let answer = await self.job.stored(request)
            let ended = self.locked { state in
                state.activity.isAskingStore = false
                return state.activity.storeRequest.take()
            }
            withExtendedLifetime(ended) {}
            self.post(event(answer))
        }
        locked { if $0.activity.isAskingStore { $0.activity.storeRequest = task } }
    }

    private func start(_ run: JobRun) {
        let number = run.number
        locked { _ = $0.activity.runs.updateValue(nil, forKey: number) }
        let task = Task(executorPreference: job.executor) {
            var failure: String?
            do {
                try await self.job.work(run)
            } catch {
                failure = "\(error)"
            }
            let ended = self.locked { $0.activity.runs.removeValue(forKey: number) }
            withExtendedLifetime(ended) {}
            self.post(.ended(number, failure: failure))
        }
        locked { if $0.activity.runs.keys.contains(number) { $0.activity.runs[number] = task } }
    }

    private func finish() {
        JobRegistry.shared.remove(self)
        let (timers, request) = locked { state in
            ([state.wallTimer.take(), state.activity.bootTimer.take()], state.activity.storeRequest)
        }
        for timer in timers { timer?.cancel() }
        request?.cancel()
        output.terminate(.completed)
    }
}

/// Not in the generic class: each use of a key path would look for its types.
private struct JobSubscriptionState: Sendable {
    var machine: JobMachine
    /// Events that came while another was handled.
    var events: [JobMachine.Event] = []
    var isStepping = false
    var hasBegun = false
    /// Whether the first requests are under way.
    var isStarting = false
    var wallTimer: TimerHandle?
    var activity: Activity {
        get { if case .activity(let activity)? = stored { activity } else { Activity() } }
        set { stored = newValue.isNone ? nil : .activity(newValue) }
    }
    private var stored: StoredActivity?

    init(_ machine: JobMachine) { self.machine = machine }

    /// Stored apart: a job that only waits for its time has nothing of it.
    struct Activity: Sendable {
        var bootTimer: TimerHandle?
        /// A request to the store has not returned. The machine may not wait for it any more.
        var isAskingStore = false
        var storeRequest: Task<Void, Never>?
        /// Those that have begun; without a task until that is made.
        var runs: [UInt64: Task<Void, Never>?] = [:]

        var isNone: Bool { bootTimer == nil && !isAskingStore && runs.isEmpty }
    }

    private enum StoredActivity: Sendable { indirect case activity(Activity) }
}
