extension SerialObserver where Downstream: ~Copyable {
    /// Gives the downstream an input that is more than a value, if its turn is now. Returns nothing when another
    /// event is being delivered or the downstream pauses; then the caller calls ``sendLater(_:)``.
    ///
    /// There are two steps because a closure that is made only when it has to be kept costs nothing otherwise.
    @inlinable
    @inline(__always)
    func sendNow(_ input: (inout Downstream) -> Demand) -> Demand? {
        guard enter() else { return nil }
        guard phase.isOpen else {
            leave()
            return isClosing ? .stop : nil
        }
        deliver(input)
        leave()
        return demand
    }

    /// Puts an input in the queue.
    @usableFromInline
    func sendLater(_ input: @escaping @Sendable (inout Downstream) -> Demand) -> Demand { enqueue(.input(input)) }

    /// Puts an input in the queue that takes the place of the one before, unless a value stands between them: it takes no
    /// room from values. An output has one signal of such inputs.
    @usableFromInline
    func updateLater(_ input: @escaping @Sendable (inout Downstream) -> Demand) -> Demand {
        let former = pending.withLock { $0.append(update: input) }
        withExtendedLifetime(former) {}
        announce()
        return demand
    }
}
