#if Metrics
    import Bus
    import CoreMetrics
    import MetricsBridge
    import TestSupport
    import Testing

    /// In a separate process, where nobody else opens anything.
    @Suite("Counted signals that have ended leave nothing")
    struct MetricsResidueTests {
        @Test func counted() async {
            await #expect(processExitsWith: .success) {
                let never = Subject(of: Int.self)
                await Residue.exitIfLeft {
                    never.metrics(named: "dropped", factory: NOOPMetricsHandler.instance).subscribe().dispose()
                    never.queueMetrics(named: "queue", factory: NOOPMetricsHandler.instance) {
                        $0.deliver(on: ImmediateScheduler())
                    }.subscribe().dispose()
                    let bus = NotificationBus()
                    bus.metrics(every: .seconds(1000), factory: NOOPMetricsHandler.instance).dispose()
                    _ = Signals.from(0..<2).metrics(named: "ended", factory: NOOPMetricsHandler.instance).subscribe()
                }
            }
        }
    }
#endif
