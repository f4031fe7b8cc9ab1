import Synchronization

/// Delivering; the caller is the deliverer.
extension SerialObserver where Downstream: ~Copyable {
    @usableFromInline
    func drain(as caller: DeliveryCaller = .sender) {
        let budget = DeliveryBudget(caller)
        repeat {
            turn.beginDraining()
            guard deliverPending(within: budget) else { return handOn() }
            if isDisposed.load(ordering: .acquiring) { downstream = nil }
        } while !turn.giveUp()
        callBack()
    }

    /// Leaves what waits to the next sender, or to the package's thread, whichever comes first.
    private func handOn() {
        if isDisposed.load(ordering: .acquiring) { downstream = nil }
        turn.offer()
        if !isHandedOn.exchange(true, ordering: .acquiringAndReleasing) {
            DeliveryThread.run { [self] in
                _ = isHandedOn.exchange(false, ordering: .acquiringAndReleasing)
                if turn.takeOffered() { drain() }
            }
        }
        callBack()
    }

    /// Calls the senders that were told to pause and may go on: now that this thread is done, they deliver for
    /// themselves.
    private func callBack() {
        let resumes = pending.withLock { pending -> [@Sendable () -> Void] in
            pending.taken = 0
            return takeResumesIfDrained(&pending)
        }
        for resume in resumes { resume() }
    }

    /// The next step of a drain.
    private enum Step {
        case deliver(PendingEvents<Downstream>.Entry, isForeign: Bool)
        case finish
        case handOn
    }

    /// False when events are left that the budget does not allow to deliver.
    private func deliverPending(within budget: borrowing DeliveryBudget) -> Bool {
        let thread = pthreadSelf()
        while true {
            if hasRoom.load(ordering: .relaxed), hasRoom.exchange(false, ordering: .acquiring) { reopen() }
            let isHeld = whilePaused == .hold && phase.isPaused
            let isSpent = budget.isSpent
            let (step, resumes) = pending.withLock { pending -> (Step, [@Sendable () -> Void]) in
                if isHeld, pending.valueIsNext { return (.finish, []) }
                let isForeign = pending.nextIsForeign(to: thread)
                if isForeign, isSpent { return (.handOn, []) }
                // With nothing in the queue, they are called when this is over, and then deliver without the queue.
                guard let entry = pending.pop() else { return (.finish, []) }
                return (
                    .deliver(entry, isForeign: isForeign), whilePaused == .hold ? takeResumesIfDrained(&pending) : []
                )
            }
            guard case .deliver(let entry, let isForeign) = step else {
                if case .handOn = step { return false }
                return true
            }
            for resume in resumes { resume() }
            deliver(entry)
            if isForeign { budget.spend() }
        }
    }

    private func deliver(_ entry: PendingEvents<Downstream>.Entry) {
        switch entry {
        // Its sender has gone on meanwhile and may never ask again, so the end that follows a stop is made here.
        case .next(let value):
            deliver(value)
            confirmStop()
        case .input(let input), .update(let input):
            deliver(input)
            confirmStop()
        case .lost(let count): if !isClosing { downstream?.lost(count) }
        case .terminate(let termination): deliver(termination)
        case .perform(let action):
            if isDisposed.load(ordering: .acquiring) { downstream = nil }
            action(&downstream, termination)
            // It may have sent something, for example to a new subscriber, and been answered with a pause.
            if phase.isOpen, downstream?.demand == .pause { pause() }
        case .abandon: if nothingIsLeft() { letGo() }
        }
    }

    @inlinable
    func deliver(_ value: Value) {
        guard phase.takesValues else { return }
        if let demand = downstream?.next(value), demand != .more { heard(demand) }
    }

    @inlinable
    func deliver(_ input: (inout Downstream) -> Demand) {
        guard phase.takesValues, downstream != nil else { return }
        // Checked above; there is no other way to lend a value that cannot be copied.
        // swift-format-ignore: NeverForceUnwrap
        let demand = input(&downstream!)
        if demand != .more { heard(demand) }
    }

    @usableFromInline
    func heard(_ demand: Demand) {
        switch demand {
        case .more: break
        case .pause: pause()
        case .stop:
            isSatisfied = true
            stop()
        }
    }

    func pause() {
        // Paused already, the downstream has been asked to call back.
        if phase.isOpen { askForRoom() }
    }

    /// The downstream has called back. Another sender may have taken the room since then.
    private func reopen() {
        guard phase.isPaused else { return }
        guard downstream?.demand == .pause else {
            phase.reopen()
            return
        }
        askForRoom()
        // Its senders stand still and will never hear of the stop, so the end that follows it is made here.
        confirmStop()
    }

    /// Brings the end that follows a stop, unless ``started()`` will.
    private func confirmStop() {
        guard isSatisfied else { return }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if !isStarting.load(ordering: .relaxed) { deliver(.completed) }
    }

    private func askForRoom() {
        let resume: @Sendable () -> Void = { [self] in
            hasRoom.store(true, ordering: .releasing)
            announce()
        }
        switch downstream?.whenReady(resume) ?? .stop {
        case .more: phase.reopen()
        case .stop: heard(.stop)
        // If `resume` was called meanwhile, it has set the flag, and the deliverer, this thread, handles it when it
        // is done here.
        case .pause: phase.pause()
        }
    }

    func deliver(_ termination: Termination<Failure>) {
        guard self.termination == nil, !isDisposed.load(ordering: .acquiring) else { return }
        // The observer that answered `stop` hears that it is over, also where another sender fails before the one
        // that was told.
        let termination = isSatisfied ? .completed : termination
        self.termination = termination
        phase.close()
        dropResumes()
        resources.dispose()
        downstream.take()?.terminate(termination)
    }

    /// An action that waited in the queue may have enqueued something, such as an end, behind the senders' last event.
    private func nothingIsLeft() -> Bool {
        pending.withLock { pending in
            if pending.isEmpty { return true }
            pending.append(.abandon)
            return false
        }
    }

    private func letGo() {
        phase.close()
        dropResumes()
        downstream = nil
    }
}
