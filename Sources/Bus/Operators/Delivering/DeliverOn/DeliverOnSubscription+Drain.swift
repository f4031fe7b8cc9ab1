import Glibc

/// The scheduler's side.
extension DeliverOnSubscription where Downstream: ~Copyable {
    @inlinable
    func scheduleDrain() {
        scheduler.schedule { self.drain() }
    }

    @inlinable
    func drain() {
        var delivered = 0
        var smallBatches = 0
        while delivered < Self.burst {
            if batch.isEmpty {
                guard takeBatch() else { return }
            }
            let count = batch.count
            guard deliverBatch() else {
                if park() { return }
                continue
            }
            delivered += count
            let isLarge = count >= Self.largeBatch
            smallBatches = isLarge ? 0 : smallBatches + 1
            if smallBatches <= Self.patience { letSenderRun(for: isLarge ? Self.lookInterval : 0) }
        }
        scheduleDrain()
    }

    /// The next step of the drain.
    @frozen
    @usableFromInline
    enum DrainStep {
        case deliver
        /// No value waits, and the drain has left the queue.
        case leave
        /// Nothing is to be delivered any more.
        case free
    }

    /// Takes out everything that waits, which leaves room for as much again. False when there is nothing.
    @inlinable
    func takeBatch() -> Bool {
        let (step, resume) = state.withLock { state -> (DrainStep, (@Sendable () -> Void)?) in
            if queue.isEmpty(state.queue), state.isAbandoned, isWanted { phase.close() }
            if phase.isClosed { return (.free, nil) }
            if queue.isEmpty(state.queue), queue.leave() {
                state.drain = .running
                state.taken = 0
                return (.leave, nil)
            }
            queue.take(into: &batch, &state.queue)
            state.taken = batch.count
            guard phase.reopen() else { return (.deliver, nil) }
            return (.deliver, state.resume.take())
        }
        resume?()
        if step == .free { free() }
        return step == .deliver
    }

    /// Yields the processor for at most `time` nanoseconds, and at least once. It does not yield while the sender
    /// pauses: then the queue is full, and a sender that goes on on this thread has filled it already.
    ///
    /// It yields instead of spinning: beside other work on the machine, spinning doubles the processor time of an
    /// event.
    @usableFromInline
    func letSenderRun(for time: Int) {
        guard phase.isOpen else { return }
        guard time > 0 else {
            sched_yield()
            return
        }
        let end = MonotonicTime.nanoseconds + Int64(time)
        repeat { sched_yield() } while phase.isOpen && MonotonicTime.nanoseconds < end
    }

    /// Delivers the batch. False when the downstream paused, and something is left.
    @inlinable
    func deliverBatch() -> Bool {
        // Another sender may have taken the room since the downstream was heard last.
        if batch.count > 0, isWanted, downstream?.demand == .pause, !goesOn(after: .pause) { return false }
        guard batch.notes.gaps.isEmpty ? deliverValues() : deliverWithGaps() else { return false }
        let end = batch.notes.end
        batch.reset()
        if let end { finish(end.termination) }
        return true
    }

    @inlinable
    func deliverValues() -> Bool {
        while batch.count > 0, isWanted {
            let values = batch.run()
            var demand = Demand.more
            var taken = 0
            repeat {
                demand = downstream?.next((values.baseAddress.unsafelyUnwrapped + taken).move()) ?? .stop
                taken += 1
            } while demand == .more && taken < values.count && isWanted
            batch.passed(taken)
            if demand != .more, !goesOn(after: demand) { return false }
        }
        return true
    }

    @usableFromInline
    func deliverWithGaps() -> Bool {
        while batch.count > 0, isWanted {
            let missing = batch.notes.gaps.take(before: batch.position)
            if missing > 0 {
                downstream?.lost(missing)
                guard isWanted else { break }
            }
            let demand = downstream?.next(batch.takeFirst()) ?? .stop
            if demand != .more, !goesOn(after: demand) { return false }
        }
        let missing = batch.notes.gaps.total
        if missing > 0, isWanted { downstream?.lost(missing) }
        return true
    }

    /// Whether the drain is to go on after an answer other than `more`.
    // Inlinable, as `ready` is: so the drain that `ready` schedules is specialised, too.
    @inlinable
    func goesOn(after demand: Demand) -> Bool {
        guard demand == .pause else {
            stop()
            return true
        }
        let answer = downstream?.whenReady { [self] in ready() } ?? .stop
        if answer == .stop { stop() }
        return answer != .pause
    }

    /// Leaves the rest for when the downstream calls back. False when it already has, and the caller goes on.
    @usableFromInline
    func park() -> Bool {
        let isParked = state.withLock { state -> Bool in
            let isParked = state.drain != .runningAndReady && !phase.isClosed
            state.drain = isParked ? .parked : .running
            return isParked
        }
        return isParked
    }

    /// The downstream has room again.
    @inlinable
    func ready() {
        let isParked = state.withLock { state -> Bool in
            guard state.drain == .parked else {
                if state.drain == .running { state.drain = .runningAndReady }
                return false
            }
            state.drain = .running
            return true
        }
        if isParked { scheduleDrain() }
    }

    @usableFromInline
    func stop() {
        let isReleasable = state.withLock { state -> Bool in
            phase.stop()
            return state.isSubscribed
        }
        // While upstream still subscribes it learns of the stop from its next value, or in `subscribed`.
        if isReleasable {
            upstream.dispose()
            finish(.completed)
        }
    }

    @usableFromInline
    func finish(_ termination: Termination<Failure>) {
        let former = phase.close()
        if former == .closed { return }
        upstream.dispose()
        state.dropResume()
        endListening { downstream.take()?.terminate(former == .stopping ? .completed : termination) }
    }
}
