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
    ///
    /// Its sender is told to go on and may never send anything again. So when the answer, at its turn, is stop, this
    /// method brings the end. All subscriptions that are known here are released before the end is heard, as always.
    @usableFromInline
    func sendLater(_ input: @escaping @Sendable (inout Downstream) -> Demand) -> Demand {
        enqueue(
            .input { downstream in
                let demand = input(&downstream)
                if demand == .stop { self.terminate(.completed) }
                return demand
            }
        )
    }
}
