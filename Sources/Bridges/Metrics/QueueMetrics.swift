#if Metrics
    public import Bus
    public import CoreMetrics

    extension Signal {
        /// The signal through a queue whose depth is measured.
        ///
        /// ```
        /// self           --1-2-3-----4--|
        /// queue_depth    0 1 2 3 2 1 1 0
        /// queueMetrics   --------1-2---34|
        /// ```
        ///
        /// The closure contains the queue: `{ $0.deliver(on: printer, limit: 100, overflow: .dropOldest) }`. A value
        /// is in the queue from going in to coming out; values being delivered count.
        ///
        /// The meters have the dimension `queue` and the name: `queue_depth`, of all subscriptions together, and
        /// `queue_lost_total`. See <doc:MetricsBridge>.
        ///
        /// - Ends: as the closure's signal does.
        /// - Fails: as the closure's signal does.
        /// - Cancelling: ends the subscription of both; values in the queue no longer count.
        /// - Buffers: as the closure's operators do.
        /// - Thread: that of the closure's operators; the metrics system is called on both sides.
        ///
        /// - Parameters:
        ///   - name: which queue it is.
        ///   - dimensions: further dimensions of the meters.
        ///   - factory: makes the meters; the metrics system's by default.
        ///   - queue: applies operators that pass on each value once, or report it as lost. Called for each
        ///     subscription.
        public func queueMetrics<Queued: Signal>(
            named name: String,
            dimensions: [(String, String)] = [],
            factory: any MetricsFactory = MetricsSystem.factory,
            _ queue: @escaping @Sendable (QueueEntry<Self>) -> Queued
        ) -> some Signal<Queued.Value, Queued.Failure> {
            QueueMeteredSignal(upstream: self, meters: QueueMeters(name, dimensions, factory), name: name, queue: queue)
        }
    }

    /// A signal on its way into a queue that is metered.
    public struct QueueEntry<Upstream: Signal>: Signal {
        public typealias Value = Upstream.Value
        public typealias Failure = Upstream.Failure
        let upstream: Upstream
        let level: QueueLevel

        public func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
            upstream.subscribe(QueueEntryObserver(downstream: observer, level: level))
        }

        public static var chain: Chain { Upstream.chain }
        public var chain: Chain { upstream.chain }
    }

    private struct QueueMeteredSignal<Upstream: Signal, Queued: Signal>: Signal {
        typealias Value = Queued.Value
        typealias Failure = Queued.Failure
        let upstream: Upstream
        let meters: QueueMeters
        let name: String
        let queue: @Sendable (QueueEntry<Upstream>) -> Queued

        func subscribe<Downstream: Observer & ~Copyable>(
            _ observer: consuming Downstream
        ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
            let level = QueueLevel(meters)
            return queue(QueueEntry(upstream: upstream, level: level))
                .subscribe(QueueExitObserver(downstream: observer, level: level))
        }

        static var chain: Chain { Upstream.chain.appending("queue") }
        var chain: Chain { upstream.chain.appending("queue(\(name))") }
    }

    private struct QueueEntryObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
        typealias Value = Downstream.Value
        typealias Failure = Downstream.Failure
        var downstream: Downstream
        let level: QueueLevel

        mutating func next(_ value: Value) -> Demand {
            level.entered(1)
            return downstream.next(value)
        }

        // It passes through the queue, and is not a loss of the queue.
        mutating func lost(_ count: Int) {
            level.passesThrough(count)
            downstream.lost(count)
        }

        consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

        var demand: Demand { downstream.demand }

        mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
    }

    private struct QueueExitObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
        typealias Value = Downstream.Value
        typealias Failure = Downstream.Failure
        var downstream: Downstream
        let level: QueueLevel

        mutating func next(_ value: Value) -> Demand {
            defer { level.left(1) }
            return downstream.next(value)
        }

        mutating func lost(_ count: Int) {
            level.lost(count)
            downstream.lost(count)
        }

        consuming func terminate(_ termination: Termination<Failure>) {
            level.close()
            downstream.terminate(termination)
        }

        var demand: Demand { downstream.demand }

        mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
    }
#endif
