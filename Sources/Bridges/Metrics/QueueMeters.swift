#if Metrics
    import Bus
    import CoreMetrics
    import Synchronization

    /// The meters of one queue.
    final class QueueMeters: Sendable {
        private let depth: Gauge
        let lost: Counter
        /// Values in the queues of all subscriptions.
        private let inside = Atomic<Int>(0)

        init(_ name: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
            let dimensions = [("queue", name)] + dimensions
            depth = Gauge(label: "queue_depth", dimensions: dimensions, factory: factory)
            lost = Counter(label: "queue_lost_total", dimensions: dimensions, factory: factory)
        }

        func change(by difference: Int) {
            depth.record(inside.add(difference, ordering: .relaxed).newValue)
        }
    }

    /// How many values are in the queue of one subscription.
    final class QueueLevel: Sendable {
        private let meters: QueueMeters
        private let inside = Atomic<Int>(0)
        /// Losses from above that are on their way through.
        private let passing = Atomic<Int>(0)
        private let isClosed = Atomic<Bool>(false)

        init(_ meters: QueueMeters) {
            self.meters = meters
        }

        deinit {
            close()
        }

        func entered(_ count: Int) {
            inside.add(count, ordering: .relaxed)
            meters.change(by: count)
        }

        func left(_ count: Int) {
            // After the end of the subscription they have been taken off already.
            guard !isClosed.load(ordering: .relaxed) else { return }
            inside.subtract(count, ordering: .relaxed)
            meters.change(by: -count)
        }

        func passesThrough(_ count: Int) { passing.add(count, ordering: .relaxed) }

        /// So many are missing at the exit: those that were missing at the entry, and those that were lost in
        /// between.
        func lost(_ count: Int) {
            let through = min(count, passing.load(ordering: .relaxed))
            passing.subtract(through, ordering: .relaxed)
            guard count > through else { return }
            meters.lost.increment(by: count - through)
            left(count - through)
        }

        /// Subtracts the values that will not come out any more.
        func close() {
            guard !isClosed.exchange(true, ordering: .relaxed) else { return }
            let rest = inside.exchange(0, ordering: .relaxed)
            if rest != 0 { meters.change(by: -rest) }
        }
    }
#endif
