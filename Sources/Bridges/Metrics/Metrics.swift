// The trait `Metrics` turns this target on; without it, it is empty and swift-metrics is no dependency.
#if Metrics
    public import Bus
    public import CoreMetrics
    public import Timers

    extension Signal {
        /// The same signal, counted.
        ///
        /// ```
        /// self                    --1-----2---(3 lost)--4--|
        /// signal_events_total       1     2             3
        /// signal_lost_total                   3
        /// signal_subscriptions    1                        0
        /// ```
        ///
        /// The meters have the dimension `signal` and the name. <doc:MetricsBridge> lists those whose labels begin with `signal_`.
        /// They are made when this is called. A signal that does not use it pays nothing; without a metrics system
        /// (`MetricsSystem.bootstrap`) an event costs some calls of empty functions.
        ///
        /// - Ends: with the source.
        /// - Fails: with the source.
        /// - Cancelling: ends the source's subscription.
        /// - Thread: the source's; the metrics system is called on it.
        ///
        /// - Parameters:
        ///   - name: which signal it is.
        ///   - dimensions: further dimensions of the meters.
        ///   - factory: makes the meters; the metrics system's by default.
        ///   - lag: how old a value is when it passes.
        @inlinable
        @inline(__always)
        public func metrics(
            named name: String,
            dimensions: [(String, String)] = [],
            factory: any MetricsFactory = MetricsSystem.factory,
            lag: (@Sendable (Value) -> Duration)? = nil
        ) -> some Signal<Value, Failure> {
            MeteredSignal(upstream: self, meters: SignalMeters(name, dimensions, factory), lag: lag)
        }
    }

    extension Signal where Value == Tick {
        /// Ticks, counted; how late they come is their lag, in `signal_lag`, and ticks that came due and were skipped count
        /// as lost, in `signal_lost_total`. See ``metrics(named:dimensions:factory:lag:)``.
        public func tickMetrics(
            named name: String,
            dimensions: [(String, String)] = [],
            factory: any MetricsFactory = MetricsSystem.factory
        ) -> some Signal<Tick, Failure> {
            let meters = SignalMeters(name, dimensions, factory)
            return MeteredSignal(upstream: self, meters: meters) { tick in
                if tick.missed > 0 { meters.lost.increment(by: tick.missed) }
                return tick.lateness
            }
        }
    }

    @frozen
    @usableFromInline
    struct MeteredSignal<Upstream: Signal>: Signal {
        @usableFromInline typealias Value = Upstream.Value
        @usableFromInline typealias Failure = Upstream.Failure
        @usableFromInline let upstream: Upstream
        @usableFromInline let meters: SignalMeters
        @usableFromInline let lag: (@Sendable (Value) -> Duration)?

        @inlinable
        init(upstream: Upstream, meters: SignalMeters, lag: (@Sendable (Value) -> Duration)?) {
            self.upstream = upstream
            self.meters = meters
            self.lag = lag
        }

        @inlinable
        @inline(__always)
        func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
            upstream.subscribe(MeteredObserver(observer, meters, lag))
        }

        @usableFromInline static var chain: Chain { Upstream.chain.appending("metrics") }
        @usableFromInline var chain: Chain { upstream.chain.appending("metrics") }
    }

    @frozen
    @usableFromInline
    struct MeteredObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
        @usableFromInline typealias Value = Downstream.Value
        @usableFromInline typealias Failure = Downstream.Failure
        @usableFromInline var downstream: Downstream
        @usableFromInline let meters: SignalMeters
        @usableFromInline let lag: (@Sendable (Value) -> Duration)?
        @usableFromInline let subscription: MeteredSubscription

        @inlinable
        init(
            _ downstream: consuming Downstream,
            _ meters: SignalMeters,
            _ lag: (@Sendable (Value) -> Duration)?
        ) {
            self.downstream = downstream
            self.meters = meters
            self.lag = lag
            subscription = MeteredSubscription(meters)
        }

        @inlinable
        mutating func next(_ value: Value) -> Demand {
            meters.events.increment()
            if let lag { meters.lag.recordNanoseconds(lag(value).meteredNanoseconds) }
            return downstream.next(value)
        }

        @inlinable
        mutating func lost(_ count: Int) {
            meters.lost.increment(by: count)
            downstream.lost(count)
        }

        // Not inlinable: the optimiser of Swift 6.3.1 stops at the subscription's deinitialiser in it.
        @usableFromInline
        consuming func terminate(_ termination: Termination<Failure>) {
            switch termination {
            case .completed: meters.completed()
            case .failed: meters.failed()
            }
            downstream.terminate(termination)
        }

        @inlinable
        var demand: Demand { downstream.demand }

        @inlinable
        mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
    }
#endif
