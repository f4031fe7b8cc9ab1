#if ServiceLifecycle
    import Bus
    import LifecycleBridge
    import TestSupport
    import Testing

    /// In a separate process, where nobody else opens anything.
    @Suite("Services that have run and ended leave nothing")
    struct ServiceResidueTests {
        // Each has a thread for a moment, so there are fewer rounds.
        @Test func services() async {
            await #expect(processExitsWith: .success) {
                let alive = Alive()
                await Residue.exitIfLeft(Stress.rounds(300, stress: 20_000), settle: { alive.waitForNone() }) {
                    // A separate scope. Otherwise the wait would include the token that this scope holds.
                    do {
                        let token = alive.token()
                        Task {
                            let service = Signals.from(0..<2).service(
                                named: "pump",
                                drainingWithin: .seconds(60),
                                undrained: { _ in }
                            ) { _ in token.sing() }
                            try? await service.run()
                        }
                    }
                    alive.waitForNone()
                }
            }
        }

        @Test func buses() async {
            await #expect(processExitsWith: .success) {
                let alive = Alive()
                await Residue.exitIfLeft(Stress.rounds(300, stress: 20_000), settle: { alive.waitForNone() }) {
                    // A separate scope. Otherwise the wait would include the token that this scope holds.
                    do {
                        let token = alive.token()
                        let bus = NotificationBus()
                        let ended = bus.signal(for: Topic<Int>("test.numbers")).subscribe(completed: { token.sing() })
                        Task {
                            let service = bus.service(drainingWithin: .seconds(60)) { _ in token.sing() }
                            try? await service.run()
                        }
                        bus.close()
                        ended.dispose()
                    }
                    alive.waitForNone()
                }
            }
        }

        @Test func starts() async {
            await #expect(processExitsWith: .success) {
                await Residue.exitIfLeft {
                    let start = ServiceStart()
                    start.ready.subscribe().dispose()
                    _ = start.ready.subscribe()
                    start.markReady()
                }
            }
        }
    }
#endif
