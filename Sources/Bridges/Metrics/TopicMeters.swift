#if Metrics
    import Bus
    import CoreMetrics

    /// The numbers of one topic, or of several together.
    struct TopicNumbers {
        var posted: UInt64 = 0
        var lost = 0
        var subscribers = 0
        var patternSubscribers = 0

        init() {}

        init(_ description: TopicDescription) {
            posted = description.posted
            lost = description.lost
            subscribers = description.subscribers
            patternSubscribers = description.patternSubscribers
        }

        mutating func add(_ other: TopicNumbers) {
            posted += other.posted
            lost += other.lost
            subscribers += other.subscribers
            patternSubscribers += other.patternSubscribers
        }
    }

    /// The meters of one topic. Used by one reporter.
    final class TopicMeters {
        private let posts: Counter
        private let lost: Counter
        private let subscribers: Meter
        private let patternSubscribers: Meter
        private var last = TopicNumbers()

        init(_ topic: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
            let dimensions = dimensions + [("topic", topic)]
            posts = Counter(label: "bus_posts_total", dimensions: dimensions, factory: factory)
            lost = Counter(label: "bus_lost_total", dimensions: dimensions, factory: factory)
            subscribers = Meter(label: "bus_subscribers", dimensions: dimensions, factory: factory)
            patternSubscribers = Meter(label: "bus_pattern_subscribers", dimensions: dimensions, factory: factory)
        }

        func report(_ numbers: TopicNumbers) {
            // A topic that was forgotten meanwhile counts from the beginning.
            let posted = numbers.posted >= last.posted ? numbers.posted - last.posted : numbers.posted
            if posted > 0 { posts.increment(by: Int64(clamping: posted)) }
            let missing = numbers.lost >= last.lost ? numbers.lost - last.lost : numbers.lost
            if missing > 0 { lost.increment(by: missing) }
            subscribers.set(numbers.subscribers)
            patternSubscribers.set(numbers.patternSubscribers)
            last = numbers
        }
    }

    /// The meters of a tap.
    final class TapMeters {
        private let clients: Meter
        private let watches: Meter
        private let lost: Counter
        private var lostBefore = 0

        init(_ dimensions: [(String, String)], _ factory: any MetricsFactory) {
            clients = Meter(label: "tap_clients", dimensions: dimensions, factory: factory)
            watches = Meter(label: "tap_watches", dimensions: dimensions, factory: factory)
            lost = Counter(label: "tap_lost_total", dimensions: dimensions, factory: factory)
        }

        func report(_ reading: TapReading) {
            clients.set(reading.clients)
            watches.set(reading.watches)
            if reading.lost > lostBefore { lost.increment(by: reading.lost - lostBefore) }
            lostBefore = reading.lost
        }
    }
#endif
