#if Metrics
    import Bus
    import BusTesting
    import CoreMetrics
    import MetricsBridge
    import MetricsTestKit
    import TestSupport
    import Testing
    import Timers

    @Suite("The metrics of a bus")
    struct BusMetricsTests {
        private static let numbers = Topic<Int>("test.numbers")
        let bus = NotificationBus()
        let metrics = TestMetrics()
        let time = TestScheduler()

        private func posts(_ topic: String) throws -> Int64 {
            try metrics.expectCounter("bus_posts_total", [("bus", "main"), ("topic", topic)]).totalValue
        }

        private func meter(_ label: String, _ topic: String? = nil) throws -> Double? {
            let dimensions = [("bus", "main")] + (topic.map { [("topic", $0)] } ?? [])
            return try metrics.expectMeter(label, dimensions).lastValue
        }

        private func report(topicLimit: Int = 100, tap: (@Sendable () -> TapReading)? = nil) -> any Disposable {
            bus.metrics(
                named: "main",
                every: .seconds(10),
                topicLimit: topicLimit,
                factory: metrics,
                on: time,
                tap: tap
            )
        }

        @Test("Posts and subscribers of a topic are published in every period")
        func counting() throws {
            let byName = Recorder(bus.signal(for: Self.numbers))
            let byPattern = Recorder(bus.envelopes(matching: "test.>"))
            bus.post(1, to: Self.numbers)
            let reporting = report()
            time.advance()
            #expect(try posts("test.numbers") == 1)
            #expect(try meter("bus_subscribers", "test.numbers") == 1)
            #expect(try meter("bus_pattern_subscribers", "test.numbers") == 1)
            #expect(try meter("bus_topics") == 1)
            for value in 2...5 { bus.post(value, to: Self.numbers) }
            time.advance(by: .seconds(9))
            #expect(try posts("test.numbers") == 1)
            byName.dispose()
            time.advance(by: .seconds(1))
            #expect(try posts("test.numbers") == 5)
            #expect(try meter("bus_subscribers", "test.numbers") == 0)
            time.advance(by: .seconds(30))
            #expect(try posts("test.numbers") == 5)
            reporting.dispose()
            bus.post(6, to: Self.numbers)
            time.advance(by: .seconds(30))
            #expect(try posts("test.numbers") == 5)
            #expect(time.pendingCount == 0)
            byPattern.dispose()
        }

        @Test("The number of values queued for slow subscribers is published")
        func waiting() throws {
            let slow = PausingRecorder(bus.signal(for: Self.numbers), after: 1)
            let slower = PausingRecorder(bus.envelopes(matching: ">"), after: 0)
            for value in 1...4 { bus.post(value, to: Self.numbers) }
            let reporting = report()
            time.advance()
            #expect(try meter("bus_waiting") == 7)
            #expect(try meter("bus_waiting_most") == 4)
            slow.release()
            slower.release()
            time.advance(by: .seconds(10))
            #expect(try meter("bus_waiting") == 0)
            #expect(try meter("bus_waiting_most") == 0)
            reporting.dispose()
        }

        @Test("The losses of a topic are published, and those that no code of the program handles")
        func losses() throws {
            let small = NotificationBus(limit: 1)
            // While the first value is delivered, there is room for one more.
            let subscription = small.signal(for: Self.numbers).subscribe(next: { value in
                guard value == 1 else { return }
                for value in 2...5 { small.post(value, to: Self.numbers) }
            })
            small.post(1, to: Self.numbers)
            let reporting = small.metrics(named: "small", every: .seconds(10), factory: metrics, on: time)
            time.advance()
            let dimensions = [("bus", "small"), ("topic", "test.numbers")]
            #expect(try metrics.expectCounter("bus_lost_total", dimensions).totalValue == 3)
            #expect(try metrics.expectMeter("bus_unheard_losses", [("bus", "small")]).lastValue ?? 0 >= 3)
            reporting.dispose()
            subscription.dispose()
        }

        @Test("Topics beyond the limit are combined, and topics with meters keep them")
        func limit() throws {
            for number in 1...5 {
                for _ in 1...number { bus.post(0, to: try Topic(checking: "topic.\(number)")) }
            }
            let reporting = report(topicLimit: 2)
            time.advance()
            #expect(try posts("topic.5") == 5)
            #expect(try posts("topic.4") == 4)
            #expect(try posts("(other)") == 1 + 2 + 3)
            for _ in 1...100 { bus.post(0, to: Topic("topic.1")) }
            time.advance(by: .seconds(10))
            #expect(try posts("(other)") == 106)
            #expect(metrics.counters(label: "bus_posts_total").count == 3)
            #expect(try meter("bus_topics") == 5)
            reporting.dispose()
        }

        @Test("A topic that the bus has forgotten continues its count when it returns")
        func forgotten() throws {
            let small = NotificationBus(topicLimit: 1)
            let other = Topic<Int>("test.other")
            let reporting = small.metrics(named: "small", every: .seconds(10), factory: metrics, on: time)
            for _ in 1...3 { small.post(0, to: Self.numbers) }
            time.advance()
            small.post(0, to: other)
            time.advance(by: .seconds(10))
            for _ in 1...2 { small.post(0, to: Self.numbers) }
            time.advance(by: .seconds(10))
            let dimensions = [("bus", "small"), ("topic", "test.numbers")]
            #expect(try metrics.expectCounter("bus_posts_total", dimensions).totalValue == 5)
            reporting.dispose()
        }

        @Test("A topic without meters of its own that the bus forgets takes nothing from the others, and adds nothing")
        func forgottenOther() throws {
            let small = NotificationBus(topicLimit: 2)
            let used = Recorder(small.signal(for: Self.numbers))
            let reporting = small.metrics(
                named: "small",
                every: .seconds(10),
                topicLimit: 0,
                factory: metrics,
                on: time
            )
            let dimensions = [("bus", "small"), ("topic", "(other)")]
            for _ in 1...5 { small.post(0, to: Self.numbers) }
            for _ in 1...3 { small.post(0, to: Topic("test.unused")) }
            time.advance()
            #expect(try metrics.expectCounter("bus_posts_total", dimensions).totalValue == 8)
            small.post(0, to: Topic("test.other"))
            #expect(small.topics.map(\.name.text).sorted() == ["test.numbers", "test.other"])
            time.advance(by: .seconds(10))
            #expect(try metrics.expectCounter("bus_posts_total", dimensions).totalValue == 9)
            reporting.dispose()
            used.dispose()
        }

        @Test("The metrics of a tap are published if they are given")
        func tap() throws {
            let reading = Lock(TapReading(clients: 2, watches: 1, lost: 0))
            let reporting = report(tap: { reading.withLock { $0 } })
            time.advance()
            #expect(try meter("tap_clients") == 2)
            #expect(try meter("tap_watches") == 1)
            reading.withLock { $0 = TapReading(clients: 1, watches: 0, lost: 7) }
            time.advance(by: .seconds(10))
            #expect(try meter("tap_clients") == 1)
            #expect(try meter("tap_watches") == 0)
            #expect(try metrics.expectCounter("tap_lost_total", [("bus", "main")]).totalValue == 7)
            reporting.dispose()
        }

        @Test("It ends when the bus is closed")
        func closed() {
            let reporting = report()
            time.advance()
            #expect(time.pendingCount == 1)
            bus.close()
            time.advance(by: .seconds(10))
            #expect(time.pendingCount == 0)
            reporting.dispose()
        }
    }
#endif
