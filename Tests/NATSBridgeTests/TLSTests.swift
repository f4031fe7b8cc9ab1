import Bus
import Glibc
import NATSBridge
import TestSupport
import Testing

private let openssl = "/usr/bin/openssl"

@Suite("TLS with a real nats-server", .enabled(if: access(openssl, X_OK) == 0, "needs openssl"))
struct TLSTests {
    private static func server(named name: String) async throws -> TestNATSServer {
        try await TestNATSServer.start(#"tls { cert_file: "FOLDER/cert.pem", key_file: "FOLDER/key.pem" }"#) {
            folder in
            try TestNATSServer.run(
                [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
                    + ["-keyout", folder + "/key.pem", "-out", folder + "/cert.pem", "-days", "2"]
                    + ["-subj", "/CN=test", "-addext", "subjectAltName=" + name]
            )
        }
    }

    private func connection(_ server: TestNATSServer, trusting other: TestNATSServer) -> NATSConnection {
        server.connection { $0.certificateAuthority = other.folder + "/cert.pem" }
    }

    private func expectInsecure(_ connection: NATSConnection) async {
        let error = await #expect(throws: NATSError.self) { try await connection.flush(timeout: .seconds(600)) }
        guard case .insecure? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A certificate that fits; one of another authority; one for another host; no TLS at all")
    func certificates() async throws {
        let server = try await Self.server(named: "IP:127.0.0.1")
        let named = try await Self.server(named: "DNS:example.org")
        let trusting = connection(server, trusting: server)
        try await trusting.flush(timeout: .seconds(600))
        let reply = try await withReplies(trusting) {
            try await trusting.request("x", to: "echo", timeout: .seconds(600))
        }
        #expect(reply.text == "x")
        await expectInsecure(connection(server, trusting: named))
        await expectInsecure(connection(named, trusting: named))
        await expectInsecure(server.connection())
    }

    private func withReplies(
        _ connection: NATSConnection,
        _ body: () async throws -> NATSMessage
    ) async throws -> NATSMessage {
        let subscription = connection.replies(to: "echo") { NATSReply($0.payload) }
            .subscribe(next: { _ in }, failed: { Issue.record("\($0)") })
        defer { subscription.dispose() }
        return try await body()
    }
}
