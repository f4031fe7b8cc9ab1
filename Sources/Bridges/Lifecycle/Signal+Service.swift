#if ServiceLifecycle
    public import Bus

    extension Signal {
        /// This signal, subscribed to and handled as a service of swift-service-lifecycle.
        ///
        /// ```
        /// asked to end          -----------x
        /// self                  --1--2--3--(not subscribed to any more)
        /// handled               --1-----2-----3|
        /// ```
        ///
        /// When it is asked to end, it leaves its source at once, handles the values that it has taken, and ends.
        /// When that takes longer than `drainingWithin` it is cancelled, and unhandled values are reported; a handler that
        /// ignores its cancellation is left behind.
        ///
        /// - Ends: with the signal, which to a `ServiceGroup` means that a service has ended
        ///   (`successTerminationBehavior`).
        /// - Fails: with the signal, with the error of the handler, and with `ReceiveError.abandoned` when the
        ///   signal's source is dropped without an end.
        /// - Cancelling: ends the subscription and the handling at once; values that were taken are reported as
        ///   undrained.
        /// - Buffers: at most `limit` values, and as many being handled; then as `overflow` says. By default the source is told
        ///   to pause before that.
        /// - Thread: values are handled one at a time, in a task.
        ///
        /// - Parameters:
        ///   - name: the service's name in a report.
        ///   - predecessors: it subscribes once all of these are ready: the `start` of other services.
        ///   - time: how long it may go on after it was asked to end.
        ///   - limit: how many values may wait.
        ///   - overflow: what happens to a value that finds the queue full.
        ///   - lost: called, where they are missing, with the number of values that were dropped. Without it, they are counted in
        ///     `Subscriptions.unheardLosses`.
        ///   - undrained: called once, before the service ends, when something was taken and not handled to its end.
        ///   - handle: handles a value.
        public func service(
            named name: String,
            after predecessors: [ServiceStart] = [],
            drainingWithin time: Duration,
            limit: Int = 1024,
            overflow: Overflow<Failure> = .pause,
            lost: @escaping @Sendable (_ count: Int) -> Void = Subscriptions.countUnheardLoss,
            undrained: @escaping @Sendable (UndrainedService) -> Void,
            _ handle: @escaping @Sendable (Value) async throws -> Void
        ) -> SignalService<Self> {
            SignalService(
                name: name,
                source: self,
                predecessors: predecessors,
                draining: time,
                limit: limit,
                overflow: overflow,
                lost: lost,
                undrained: undrained,
                handle: handle
            )
        }
    }
#endif
