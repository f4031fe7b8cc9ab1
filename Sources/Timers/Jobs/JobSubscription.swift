import Bus

/// Runs a job for one subscriber: steps the machine, and does what it answers. Kept by its timers, requests and runs until
/// the machine says that nothing follows.
final class JobSubscription<Downstream: Observer & ~Copyable, Wall: WallTimedScheduler, Boot: TimedScheduler>: Sendable
where Downstream.Value == JobEvent, Downstream.Failure == Never {
    private let output: SerialObserver<Downstream>
    private let job: Job<Wall, Boot>
    private let machine: Lock<JobMachine>
    private let events = Lock<[JobMachine.Event]>([])
    private let rounds = Trampoline()
    private let runs = Lock<[UInt64: Task<Void, Never>]>([:])
    private let wallTimer = SerialTimer()
    private let bootTimer = SerialTimer()
    private let changes = CompoundDisposable()

    init(_ output: SerialObserver<Downstream>, _ job: Job<Wall, Boot>) {
        self.output = output
        self.job = job
        machine = Lock(
            JobMachine(
                job: job.name,
                times: job.times,
                policy: job.policy,
                timeToLive: job.lease?.timeToLive,
                at: JobMachine.Moment(wall: job.wall.now, boot: job.boot.now)
            )
        )
    }

    func start() {
        output.resources.add(ActionDisposable { self.post(.stop) })
        changes.add(job.wall.steps.subscribe(next: { [weak self] _ in self?.post(.wake) }))
        if let hub = job.changes { changes.add(hub.subscribe(next: { [weak self] _ in self?.post(.changed) })) }
        if let stop = job.stop {
            changes.add(
                stop.subscribe(
                    next: { [weak self] _ in self?.post(.stop) },
                    completed: { [weak self] in self?.post(.stop) }
                )
            )
        }
        // On the scheduler, as all that follows from time.
        wallTimer.schedule(at: .distantPast, on: job.wall) { self.post(.wake) }
    }

    /// Steps the machine. Events of several threads are taken one after another, and so is what follows from them.
    private func post(_ event: JobMachine.Event) {
        events.withLock { $0.append(event) }
        rounds.run {
            let event = events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let event else { return }
            let moment = JobMachine.Moment(wall: job.wall.now, boot: job.boot.now)
            let (actions, deadlines) = machine.withLock { machine in
                (machine.step(event, at: moment), machine.deadlines)
            }
            for action in actions { perform(action) }
            if actions.last == .finish { return }
            arm(wallTimer, deadlines.wall, job.wall)
            arm(bootTimer, deadlines.boot, job.boot)
        }
    }

    private func arm(_ timer: SerialTimer, _ deadline: TimerInstant?, _ scheduler: some TimedScheduler) {
        if let deadline { timer.schedule(at: deadline, on: scheduler) { self.post(.wake) } }
    }

    private func perform(_ action: JobMachine.Action) {
        let name = job.name
        switch action {
        case .acquire(let id): ask { .granted(request: id, await $0.leased { try await $0.acquire(name) }) }
        case .renew(let id, let grant):
            ask { .renewed(request: id, await $0.leased { try await $0.renew(grant, of: name) }) }
        case .release(let grant):
            Task(executorPreference: job.executor) { [job] in await job.lease?.release(grant, of: name) }
        case .load(let id): ask { .loaded(request: id, await $0.stored { try await $0.load(name) }) }
        case .save(let id, let record):
            ask { .saved(request: id, await $0.stored { try await $0.save(record, of: name) }) }
        case .start(let run): start(run)
        case .cancel(let number): runs.withLock { $0[number] }?.cancel()
        case .tell(let event): _ = output.next(event)
        case .finish: finish()
        }
    }

    private func ask(_ request: @escaping @Sendable (Job<Wall, Boot>) async -> JobMachine.Event) {
        Task(executorPreference: job.executor) { self.post(await request(self.job)) }
    }

    private func start(_ run: JobRun) {
        runs.withLock { runs in
            runs[run.number] = Task(executorPreference: job.executor) {
                var failure: String?
                do {
                    try await self.job.work(run)
                } catch {
                    failure = "\(error)"
                }
                self.runs.withLock { $0[run.number] = nil }
                self.post(.ended(run.number, failure: failure))
            }
        }
    }

    private func finish() {
        wallTimer.dispose()
        bootTimer.dispose()
        changes.dispose()
        output.terminate(.completed)
    }
}
