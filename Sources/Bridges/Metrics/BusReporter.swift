#if Metrics
    import Bus
    import CoreMetrics

    /// Reads the numbers of a bus and gives them to its meters.
    // Unchecked: an interval calls it, one call at a time.
    final class BusReporter: @unchecked Sendable {
        private let bus: NotificationBus
        private let topicLimit: Int
        private let dimensions: [(String, String)]
        private let factory: any MetricsFactory
        private let tap: (@Sendable () -> TapReading)?

        private let topics: Meter
        private let waiting: Meter
        private let maxWaiting: Meter
        private let unheardLosses: Meter
        private let tapMeters: TapMeters?
        private var known: [TopicName: TopicMeters] = [:]
        private var others: TopicMeters?
        /// The last numbers of the bus's topics that have no meters of their own.
        private var lastOfOthers: [TopicName: TopicNumbers] = [:]

        init(
            _ bus: NotificationBus,
            topicLimit: Int,
            _ dimensions: [(String, String)],
            _ factory: any MetricsFactory,
            _ tap: (@Sendable () -> TapReading)?
        ) {
            func meter(_ label: String) -> Meter { Meter(label: label, dimensions: dimensions, factory: factory) }
            self.bus = bus
            self.topicLimit = max(0, topicLimit)
            self.dimensions = dimensions
            self.factory = factory
            self.tap = tap
            topics = meter("bus_topics")
            waiting = meter("bus_waiting")
            maxWaiting = meter("bus_waiting_most")
            unheardLosses = meter("bus_unheard_losses")
            tapMeters = tap.map { _ in TapMeters(dimensions, factory) }
        }

        /// Returns whether there will be more to report.
        func report() -> Bool {
            report(bus.topics)
            let backlog = bus.backlog.map(\.waiting)
            waiting.set(backlog.reduce(0, +))
            maxWaiting.set(backlog.max() ?? 0)
            unheardLosses.set(Subscriptions.unheardLosses)
            if let tap, let tapMeters { tapMeters.report(tap()) }
            return !bus.isClosed
        }

        private func report(_ descriptions: [TopicDescription]) {
            topics.set(descriptions.count)
            adopt(descriptions)
            var (newsOfOthers, ofOthers) = (TopicNumbers(), [TopicName: TopicNumbers]())
            var found: Set<TopicName> = []
            for description in descriptions {
                let (name, numbers) = (description.name, TopicNumbers(description))
                if let meters = known[name] {
                    found.insert(name)
                    meters.report(numbers)
                } else {
                    newsOfOthers.add(numbers.since(lastOfOthers[name] ?? TopicNumbers()))
                    ofOthers[name] = numbers
                }
            }
            // The bus has forgotten them, and will count from the beginning if they come back.
            for (name, meters) in known where !found.contains(name) { meters.report(TopicNumbers()) }
            if !ofOthers.isEmpty, others == nil { others = TopicMeters("(other)", dimensions, factory) }
            others?.report(news: newsOfOthers)
            lastOfOthers = ofOthers
        }

        /// Makes meters for topics that have none, as far as there is capacity.
        private func adopt(_ descriptions: [TopicDescription]) {
            let capacity = topicLimit - known.count
            guard capacity > 0 else { return }
            let new = descriptions.filter { known[$0.name] == nil }.sorted { $0.posted > $1.posted }
            for description in new.prefix(capacity) {
                known[description.name] = TopicMeters(description.name.text, dimensions, factory)
            }
        }
    }
#endif
