#if ServiceLifecycle
    public import Bus

    /// Says when a service has started, so that others can start after it.
    ///
    /// A `ServiceGroup` starts its services one after the other, but does not wait for one to be ready before it starts the
    /// next.
    public final class ServiceStart: Sendable {
        private let subject = ReplaySubject<Void, Never>(capacity: 1)

        /// The start of a service that is not ready yet.
        public init() {}

        /// Says that the service is ready. Once is enough.
        public func markReady() { subject.send(()) }

        /// One value as soon as the service is ready, also for later subscribers.
        public var ready: some Signal<Void, Never> { subject.take(first: 1) }
    }
#endif
