import Foundation
import NATSBridge
import TestSupport

/// A `nats-server` with JetStream, and the real busctl-rx that reads from it or stores in it.
struct NATSScene {
    static let configuration = "jetstream {\n store_dir: \"FOLDER/store\"\n}"

    let server: TestNATSServer
    let folder: TemporaryFolder
    /// A connection of the test's own process.
    let nats: NATSConnection

    init(_ configuration: String = NATSScene.configuration) async throws {
        server = try await TestNATSServer.start(configuration)
        folder = try TemporaryFolder()
        var options = NATSOptions(server.url)
        options.reconnectWait = .milliseconds(20)
        nats = NATSConnection(options)
    }

    /// As an option of busctl-rx.
    func from(_ subject: String) -> String { "--from=\(server.url)/\(subject)" }

    func makeStream(_ name: String, of subject: String, _ settings: String = "") async throws {
        try await askForStream("CREATE", name, subject, settings)
    }

    func changeStream(_ name: String, of subject: String, _ settings: String = "") async throws {
        try await askForStream("UPDATE", name, subject, settings)
    }

    private func askForStream(
        _ verb: String,
        _ name: String,
        _ subject: String,
        _ settings: String
    ) async throws {
        let body = #"{"name":"\#(name)","subjects":["\#(subject)"],"storage":"file"\#(settings)}"#
        let answer = try await nats.request(body, to: "$JS.API.STREAM.\(verb).\(name)", timeout: .seconds(600))
        guard !answer.text.contains("\"error\"") else { throw Command.Failure(description: answer.text) }
    }

    /// Returns when the stream has a message.
    func waitForMessage(in stream: String) async throws {
        let question = "$JS.API.STREAM.INFO.\(stream)"
        while try await nats.request("", to: question, timeout: .seconds(600)).text.contains("\"messages\":0,") {
            guard !RunLimit.isOver else { throw Command.Failure(description: "nothing came into \(stream)") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func store(_ text: String, _ subject: String) async throws {
        let message = NATSMessage(subject: subject, payload: Array(text.utf8))
        _ = try await nats.publishAcknowledged(message, timeout: .seconds(600))
    }

    /// busctl-rx, once it hears everything.
    func start(_ arguments: String...) throws -> TailProcess {
        let manager = try DatagramReceiver()
        let process = try TailProcess(
            arguments,
            environment: ["LANG": "C", "TZ": "UTC", "NOTIFY_SOCKET": manager.name]
        )
        try process.waitUntilReady(manager)
        return process
    }

    /// The messages of a subject that its stream has, in their order.
    func stored(_ subject: String) throws -> [String] {
        let ended = try TailProcess.run("tail", from(subject + "?from=first"), "--no-follow", "-o", "cat")
        return ended.output.split(separator: "\n").map(String.init)
    }
}
