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
        /// The meters, each with the dimension `bus` and the name; those of topics with the dimension `topic`, too:
        ///
        /// | label | kind | what |
        /// | --- | --- | --- |
        /// | `bus_posts_total` | counter | values that were posted on the topic |
        /// | `bus_lost_total` | counter | values that the topic lost, because too many waited while another was being delivered |
        /// | `bus_subscribers` | meter | subscribers to the topic by its name |
        /// | `bus_pattern_subscribers` | meter | subscribers to a pattern that matches the topic |
        /// | `bus_topics` | meter | topics of the bus |
        /// | `bus_waiting` | meter | values that wait for all subscribers together |
        /// | `bus_waiting_most` | meter | values that wait for the subscriber with the most |
        /// | `bus_unheard_losses` | meter | `Subscriptions.unheardLosses` of the whole program |
        /// | `tap_clients`, `tap_watches` | meter | clients that are connected, and watches that run, where `tap` tells |
        /// | `tap_lost_total` | counter | events that watches missed, where `tap` tells |
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
