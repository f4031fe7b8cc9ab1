#if Metrics
    public import Bus
    public import CoreMetrics
    public import Timers

    extension NotificationBus {
        /// Publishes the numbers of the bus, at once and then in every period.
        ///
        /// ```swift
        /// import Bus
        /// import MetricsBridge
        /// import TapBridge
        ///
        /// let bus = NotificationBus()
        /// let tap = try bus.serve(at: "/run/user/1000/example.tap")
        /// let metrics = bus.metrics(every: .seconds(10), tap: {
        ///     let activity = tap.activity
        ///     return TapReading(clients: activity.clients, watches: activity.watches, lost: activity.lost)
        /// })
        /// ```
        ///
        /// The meters have the dimension `bus` and the name; those of topics have the dimension `topic`, too. <doc:MetricsBridge>
        /// lists those whose labels begin with `bus_`, and with `tap_` where `tap` is given.
        ///
        /// The numbers are read when the timer fires. Posting costs nothing more for it.
        ///
        /// At most `topicLimit` topics have meters of their own, and keep them: those that are there first; of
        /// several at once, the topics with more posts. All others are added up under the topic `(other)`. So a
        /// program that makes topics without end does not make meters without end.
        ///
        /// It holds the bus. It ends with its handle, or in the period in which the bus is closed. Values posted
        /// between the last report and the end of the bus are not reported.
        ///
        /// - Parameters:
        ///   - name: which bus it is.
        ///   - period: how often.
        ///   - topicLimit: how many topics have meters of their own.
        ///   - dimensions: further dimensions of the meters.
        ///   - factory: makes the meters; the metrics system's by default.
        ///   - scheduler: where the numbers are read and the metrics system is called.
        ///   - tap: reads the numbers of a tap of the bus.
        /// - Returns: the handle that ends it.
        public func metrics(
            named name: String = "bus",
            every period: Duration,
            topicLimit: Int = 100,
            dimensions: [(String, String)] = [],
            factory: any MetricsFactory = MetricsSystem.factory,
            on scheduler: some TimedScheduler = TimerScheduler.shared,
            tap: (@Sendable () -> TapReading)? = nil
        ) -> any Disposable {
            let dimensions = [("bus", name)] + dimensions
            let reporter = BusReporter(self, topicLimit: topicLimit, dimensions, factory, tap)
            return Signals.interval(every: period, first: .immediately, on: scheduler)
                .map { _ in reporter.report() }
                .take(while: { $0 })
                .subscribe()
        }
    }

    /// The numbers of a tap at one moment, for ``Bus/NotificationBus/metrics(named:every:topicLimit:dimensions:factory:on:tap:)``.
    ///
    /// MetricsBridge does not depend on TapBridge, which would bring the filter's library into every program with metrics.
    public struct TapReading: Sendable, Hashable {
        /// Clients that are connected.
        public var clients: Int
        /// Watches that run.
        public var watches: Int
        /// Events that watches missed, since the tap began.
        public var lost: Int

        /// A reading for the `tap` closure of `metrics`, made of the tap's `activity`.
        public init(clients: Int, watches: Int, lost: Int) {
            self.clients = clients
            self.watches = watches
            self.lost = lost
        }
    }
#endif
