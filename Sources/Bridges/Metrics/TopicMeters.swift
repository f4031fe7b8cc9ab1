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

        /// The numbers since an earlier reading of the same topic, and the present subscribers. A topic that was forgotten meanwhile
        /// counts from the beginning.
        func since(_ earlier: TopicNumbers) -> TopicNumbers {
            var news = self
            if posted >= earlier.posted { news.posted -= earlier.posted }
            if lost >= earlier.lost { news.lost -= earlier.lost }
            return news
        }

        mutating func add(_ other: TopicNumbers) {
            posted += other.posted
            lost += other.lost
            subscribers += other.subscribers
            patternSubscribers += other.patternSubscribers
        }
    }

    /// The meters of one topic, or of several together. Used by one reporter.
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
            report(news: numbers.since(last))
            last = numbers
        }

        /// Reports what has come since the last report.
        func report(news: TopicNumbers) {
            if news.posted > 0 { posts.increment(by: Int64(clamping: news.posted)) }
            if news.lost > 0 { lost.increment(by: news.lost) }
            subscribers.set(news.subscribers)
            patternSubscribers.set(news.patternSubscribers)
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
