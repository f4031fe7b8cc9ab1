import NATSBridge
import TestSupport
import Testing

@Suite("A server that ends a connection in its handshake")
struct HandshakeTests {
    private func failure(_ server: EndingServer, scheme: String = "nats") async -> NATSError.Reason? {
        let nats = NATSConnection(NATSOptions("\(scheme)://\(server.place)"))
        let error = await #expect(throws: NATSError.self) { try await nats.flush() }
        return error?.reason
    }

    private func greeting(_ more: String = "") -> String { EndingServer.greeting.replacing("MORE", with: more) }

    @Test("A server that starts, stops or is full may take the next connection")
    func temporary() async throws {
        let tls = greeting(#","tls_required":true"#)
        for server in [
            try EndingServer("", hears: false), try EndingServer(greeting(), hears: false),
            try EndingServer(greeting(), hears: true), try EndingServer(tls, hears: true),
            try EndingServer(greeting(), hears: true, answer: "-ERR 'Server Shutdown'\r\n"),
            try EndingServer(greeting(), hears: true, answer: "-ERR 'maximum connections exceeded'\r\n"),
        ] {
            switch await failure(server) {
            case .disconnected, .unreachable: break
            case let reason: Issue.record("\(String(describing: reason))")
            }
        }
    }

    @Test("A server of another kind, one that knows no such user, and one that speaks no TLS are told apart")
    func lasting() async throws {
        for text in ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "INFO {nonsense\r\n"] {
            guard case .library? = await failure(try EndingServer(text, hears: false)) else {
                Issue.record("\(text)")
                continue
            }
        }
        let strict = try EndingServer(greeting(), hears: true, answer: "-ERR 'Authorization Violation'\r\n")
        guard case .unauthorized? = await failure(strict) else {
            Issue.record("no refusal")
            return
        }
        let tls = greeting(#","tls_required":true"#)
        for (server, scheme) in [
            (try EndingServer(tls, hears: true, answer: "no handshake at all\r\n"), "nats"),
            (try EndingServer(greeting(), hears: true), "tls"),
        ] {
            guard case .insecure? = await failure(server, scheme: scheme) else {
                Issue.record("\(scheme)")
                continue
            }
        }
    }
}
