#if Metrics
    import Bus
    import BusTesting
    import CoreMetrics
    import MetricsBridge
    import MetricsTestKit
    import Testing
    import Timers

    @Suite("The metrics of signals")
    struct MetricsTests {
        let metrics = TestMetrics()

        private func counter(_ label: String, _ name: String) throws -> Int64 {
            try metrics.expectCounter(label, [("signal", name)]).totalValue
        }

        @Test("Values, losses, ends and subscriptions are counted under the signal's name")
        func counting() throws {
            let source = ProbeSource(of: Int.self, failure: TestFailure.self)
            let counted = source.metrics(named: "a", factory: metrics)
            let (first, _) = (
                counted.subscribe(next: { _ in }, failed: { _ in }), counted.subscribe(next: { _ in }, failed: { _ in })
            )
            #expect(try metrics.expectMeter("signal_subscriptions", [("signal", "a")]).lastValue == 2)
            source.send(1)
            source.send(2)
            source.sendLoss(of: 3)
            #expect(try counter("signal_events_total", "a") == 4)
            #expect(try counter("signal_lost_total", "a") == 6)
            first.dispose()
            #expect(try metrics.expectMeter("signal_subscriptions", [("signal", "a")]).lastValue == 1)
            source.fail("end")
            #expect(try counter("signal_failures_total", "a") == 1)
            #expect(try metrics.expectMeter("signal_subscriptions", [("signal", "a")]).lastValue == 0)
            _ = Signals.just(1).metrics(named: "b", factory: metrics).subscribe()
            #expect(try counter("signal_completions_total", "b") == 1)
        }

        @Test("The age of values is recorded")
        func lag() throws {
            _ = Signals.from([1, 2]).metrics(named: "a", factory: metrics) { .milliseconds($0) }.subscribe()
            #expect(try metrics.expectTimer("signal_lag", [("signal", "a")]).values == [1_000_000, 2_000_000])
        }

        @Test("A timer's lateness is its lag, and skipped ticks are lost")
        func lateness() throws {
            let time = TestScheduler()
            let ticks = Signals.interval(every: .seconds(1), on: time).tickMetrics(named: "beat", factory: metrics)
            let subscription = ticks.subscribe()
            time.advance(by: .seconds(1))
            // Two and a half seconds in which nothing runs.
            time.jump(by: .milliseconds(3500))
            time.advance()
            #expect(try counter("signal_events_total", "beat") == 2)
            let lateness = try metrics.expectTimer("signal_lag", [("signal", "beat")]).values
            #expect(lateness == [0, 500_000_000])
            #expect(try counter("signal_lost_total", "beat") == 2)
            subscription.dispose()
        }

        @Test("A queue's depth is shown while it fills and empties, and its losses are counted")
        func queue() throws {
            let source = ProbeSource(of: Int.self, failure: TestFailure.self)
            let time = TestScheduler()
            let queued = source.queueMetrics(named: "q", factory: metrics) {
                $0.deliver(on: time, limit: 3, overflow: .dropOldest)
            }
            let subscription = queued.subscribe(next: { _ in }, failed: { _ in })
            for value in 1...5 { source.send(value) }
            source.sendLoss(of: 7)
            let depth = try metrics.expectGauge("queue_depth", [("queue", "q")])
            #expect(depth.lastValue == 5, "what was dropped is known when it should have come out")
            time.advance(by: .seconds(1))
            #expect(depth.lastValue == 0)
            #expect(try metrics.expectCounter("queue_lost_total", [("queue", "q")]).totalValue == 2)
            // The depth returns to zero when the subscription ends.
            for value in 1...3 { source.send(value) }
            #expect(depth.lastValue == 3)
            subscription.dispose()
            time.advance(by: .seconds(1))
            #expect(depth.lastValue == 0)
        }

        @Test("A pause passes through, and waiting values are in the queue")
        func pausing() throws {
            let time = TestScheduler()
            let queued = Signals.from(1...10).metrics(named: "a", factory: metrics)
                .queueMetrics(named: "p", factory: metrics) { $0.deliver(on: time, limit: 3) }
            let recorder = Recorder(queued)
            #expect(try counter("signal_events_total", "a") == 3)
            let depth = try metrics.expectGauge("queue_depth", [("queue", "p")])
            #expect(depth.lastValue == 3)
            time.advance(by: .seconds(1))
            #expect(recorder.values == Array(1...10) && recorder.hasEnded && depth.lastValue == 0)
            #expect(try metrics.expectCounter("queue_lost_total", [("queue", "p")]).totalValue == 0)
        }

        @Test("They keep the delivery contract")
        func contract() {
            let factory: any MetricsFactory = metrics
            let counted = ContractCheck("metrics") { sources in sources[0].metrics(named: "c", factory: factory) }
            #expect(counted.violations() == [])
            let queue = ContractCheck("queueMetrics") { sources in
                sources[0].queueMetrics(named: "c", factory: factory) { entry in entry.map { $0 } }
            }
            #expect(queue.violations() == [])
        }
    }
#endif
