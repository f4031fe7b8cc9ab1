#if NATS
    import Bus
    import BusTesting
    import NATSBridge
    import TestSupport
    import Testing

    /// In a process of their own, where nobody else opens anything.
    @Suite("What is over leaves nothing")
    struct NATSResidueTests {
        @Test("Subscriptions of a connection that stays")
        func subscriptions() async throws {
            let server = try await TestNATSServer.start()
            await #expect(processExitsWith: .success) { [url = server.url as String] in
                let nats = NATSConnection(NATSOptions(url))
                await Residue.exitIfLeft {
                    let heard = Recorder(nats.signals(on: "a").take(first: 1))
                    let pending = nats.signals(on: "b").subscribe(next: { _ in }, failed: { _ in })
                    Recorder(nats.publication(of: NATSMessage(subject: "a"))).waitForEnd()
                    heard.waitForEnd()
                    pending.dispose()
                }
            }
        }

        @Test("Connections, with all their threads")
        func connections() async throws {
            let server = try await TestNATSServer.start()
            await #expect(processExitsWith: .success) { [url = server.url as String] in
                await Residue.exitIfLeft(Stress.rounds(50, stress: 2000)) {
                    let nats = NATSConnection(NATSOptions(url))
                    let heard = Recorder(nats.signals(on: "a").take(first: 1))
                    let pending = nats.signals(on: "b").subscribe(next: { _ in }, failed: { _ in })
                    Recorder(nats.publication(of: NATSMessage(subject: "a"))).waitForEnd()
                    heard.waitForEnd()
                    pending.dispose()
                }
            }
        }
    }
#endif
