#if Metrics
    public import CoreMetrics

    /// The meters of one name; ``MetricsBridge``'s article lists their labels.
    @usableFromInline
    final class SignalMeters: Sendable {
        @usableFromInline let events: Counter
        @usableFromInline let lost: Counter
        @usableFromInline let lag: CoreMetrics.Timer
        private let completions: Counter
        private let failures: Counter
        private let subscriptions: Meter

        @usableFromInline
        init(_ name: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
            let dimensions = [("signal", name)] + dimensions
            func counter(_ label: String) -> Counter { Counter(label: label, dimensions: dimensions, factory: factory) }
            events = counter("signal_events_total")
            lost = counter("signal_lost_total")
            completions = counter("signal_completions_total")
            failures = counter("signal_failures_total")
            lag = CoreMetrics.Timer(label: "signal_lag", dimensions: dimensions, factory: factory)
            subscriptions = Meter(label: "signal_subscriptions", dimensions: dimensions, factory: factory)
        }

        func subscribed() { subscriptions.increment() }
        func left() { subscriptions.decrement() }
        @usableFromInline func completed() { completions.increment() }
        @usableFromInline func failed() { failures.increment() }
    }

    /// Counts one subscription for as long as its observer lives.
    @usableFromInline
    struct MeteredSubscription: ~Copyable, Sendable {
        @usableFromInline let meters: SignalMeters

        @usableFromInline
        init(_ meters: SignalMeters) {
            self.meters = meters
            meters.subscribed()
        }

        @usableFromInline
        func leave() { meters.left() }

        // Inlinable, or the optimiser of 6.3.1 crashes where it inlines the observer's end.
        @inlinable
        deinit {
            leave()
        }
    }

    extension Duration {
        /// For a meter; saturates at 292 years.
        @usableFromInline
        var meteredNanoseconds: Int64 {
            let (seconds, attoseconds) = components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            return overflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
        }
    }
#endif
