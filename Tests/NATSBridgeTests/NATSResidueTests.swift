import Bus
import BusTesting
import Glibc
import NATSBridge
import TestSupport
import Testing

/// In a process of their own, where nobody else opens anything.
@Suite("Connections and subscriptions that are over leave nothing")
struct NATSResidueTests {
    @Test("Subscriptions of a connection that stays")
    func subscriptions() async throws {
        let server = try await TestNATSServer.start()
        await #expect(processExitsWith: .success) { [url = server.url as String] in
            let nats = NATSConnection(NATSOptions(url))
            await Residue.exitIfLeft {
                let heard = Recorder(nats.messages(to: "a").take(first: 1))
                let pending = nats.messages(to: "b").subscribe(next: { _ in }, failed: { _ in })
                Recorder(nats.publication(of: NATSMessage(subject: "a"))).waitForEnd()
                heard.waitForEnd()
                pending.dispose()
            }
        }
    }

    @Test("A process that connects still ends by SIGPIPE")
    func brokenPipe() async throws {
        let server = try await TestNATSServer.start()
        await #expect(processExitsWith: .signal(SIGPIPE)) { [url = server.url as String] in
            signal(SIGPIPE, SIG_DFL)
            let nats = NATSConnection(NATSOptions(url))
            try await nats.flush(timeout: .seconds(600))
            var ends: [CInt] = [0, 0]
            pipe(&ends)
            close(ends[0])
            write(ends[1], "x", 1)
        }
    }

    @Test("Connections, with all their threads")
    func connections() async throws {
        let server = try await TestNATSServer.start()
        await #expect(processExitsWith: .success) { [url = server.url as String] in
            await Residue.exitIfLeft(Stress.rounds(50, stress: 2000)) {
                let nats = NATSConnection(NATSOptions(url))
                let heard = Recorder(nats.messages(to: "a").take(first: 1))
                let pending = nats.messages(to: "b").subscribe(next: { _ in }, failed: { _ in })
                Recorder(nats.publication(of: NATSMessage(subject: "a"))).waitForEnd()
                heard.waitForEnd()
                pending.dispose()
            }
        }
    }
}
