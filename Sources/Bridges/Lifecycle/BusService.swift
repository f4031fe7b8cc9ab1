#if ServiceLifecycle
    import Bus
    public import ServiceLifecycle
    import Timers

    /// A notification bus as a service; made by ``Bus/NotificationBus/service(named:drainingWithin:undrained:)``.
    public struct BusService: Service {
        let name: String
        let bus: NotificationBus
        let draining: Duration
        let undrained: @Sendable (UndrainedBus) -> Void

        /// Runs until the service is asked to end. Then it closes the bus, and waits until every subscriber is done or the
        /// time is over.
        ///
        /// It also ends when other code closes the bus, once every subscriber is done. When it is cancelled, it
        /// closes the bus, does not wait, and reports the subscribers for which values wait. No thread is blocked
        /// while it waits.
        ///
        /// - Throws: `CancellationError` when the task is cancelled. A graceful shutdown throws nothing, drained or not.
        public func run() async throws {
            let stopping = ReplaySubject<Void, Never>(capacity: 1)
            try await withGracefulShutdownHandler {
                let drained = bus.whenDrained().map { true }
                let deadline = stopping.on(next: { _ in close() }).delay(draining).map { false }
                let isDrained: Bool?
                do {
                    isDrained = try await drained.merge(deadline).firstValue()
                } catch {
                    // Neither signal fails or loses anything, so that the task was cancelled.
                    report(bus.backlog.filter { $0.waiting > 0 }, .cancelled)
                    close()
                    throw CancellationError()
                }
                if isDrained == false { report(bus.backlog, .deadline(draining)) }
            } onGracefulShutdown: {
                stopping.send(())
            }
        }

        /// Not in the service's task: a subscriber that takes long to end must not hold up the deadline.
        private func close() {
            Task { [bus] in bus.close() }
        }

        private func report(_ subscribers: [SubscriberBacklog], _ reason: UndrainedService.Reason) {
            guard !subscribers.isEmpty else { return }
            undrained(UndrainedBus(service: name, subscribers: subscribers, reason: reason))
        }
    }
#endif
