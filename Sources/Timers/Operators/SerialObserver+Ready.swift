public import Bus

extension SerialObserver where Downstream: ~Copyable {
    /// Sends a value that is made only when the downstream is ready for it. When it is not, the answer is pause,
    /// and the closure left with `whenReady` is called when it has.
    ///
    /// For senders whose next value may be a long time after the last: others may have filled the downstream
    /// meanwhile.
    @inlinable
    func nextIfReady(_ make: () -> Value?) -> Demand {
        let demand = demand
        guard demand == .more else { return demand }
        return send(
            { downstream in
                let demand = downstream.demand
                guard demand == .more, let value = make() else { return demand }
                return downstream.next(value)
            },
            orLater: {
                guard let value = make() else { return { downstream in downstream.demand } }
                return { downstream in downstream.next(value) }
            }
        )
    }
}
