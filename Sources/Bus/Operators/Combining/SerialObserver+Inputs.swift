public import Synchronization

extension SerialObserver where Downstream: ~Copyable {
    /// Gives the downstream an input that is more than a value, if it is its turn at once; nothing when another event
    /// is being delivered or the downstream pauses, and then ``sendLater(_:)`` is to be called.
    ///
    /// In two steps, for a closure that is only made when it has to be kept costs nothing where it is not.
    @inlinable
    @inline(__always)
    func sendNow(_ input: (inout Downstream) -> Demand) -> Demand? {
        guard enter() else { return nil }
        guard phase.load(ordering: .relaxed) == Self.open else {
            leave()
            return isClosing ? .stop : nil
        }
        deliver(input)
        leave()
        return demand
    }

    /// Puts an input in line.
    ///
    /// Its sender is told to go on and may never say anything again; so when the answer, once it is its turn, is stop,
    /// the end is brought from here. All subscriptions that are at hand are released before it is heard, as always.
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
