#if ServiceLifecycle
    public import Bus

    extension NotificationBus {
        /// The bus as a service of swift-service-lifecycle, which closes it at the graceful shutdown and lets its subscribers finish.
        ///
        /// ```swift
        /// import Bus
        /// import LifecycleBridge
        /// import Logging
        /// import ServiceLifecycle
        ///
        /// let logger = Logger(label: "daemon")
        /// let bus = NotificationBus()
        /// let service = bus.service(drainingWithin: .seconds(5)) { undrained in logger.warning("\(undrained)") }
        /// let group = ServiceGroup(services: [service], logger: logger)
        /// ```
        ///
        /// A `ServiceGroup` asks its services to end in the reverse order. Put the bus before the services that post
        /// on it, so that their last values are heard.
        ///
        /// - Parameters:
        ///   - name: the service's name in a report.
        ///   - time: how long subscribers may take after the bus was closed.
        ///   - undrained: called once, before the service ends, when a subscriber was not done. It runs in the service's task.
        public func service(
            named name: String = "bus",
            drainingWithin time: Duration,
            undrained: @escaping @Sendable (UndrainedBus) -> Void
        ) -> BusService {
            BusService(name: name, bus: self, draining: time, undrained: undrained)
        }
    }
#endif
