import Foundation
import TestSupport
import Testing

@Suite(
    "busctl-rx tail reads what systemd-journal-gatewayd serves",
    .enabled(if: TestGateway.isAvailable, Comment(rawValue: TestGateway.hint))
)
struct CommandLineGatewayTests {
    private static let cursor = "s=4d6a6e1c4abe4e7aa156e2f6a4108f93;i=%;b=\(SyntheticJournal.boot);m=1;t=1;x=%"

    private func run(_ arguments: [String]) throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "-o", "cat"] + arguments, environment: RemoteScene.environment)
    }

    /// An entry as a server writes it out.
    private func entry(_ number: Int) -> String {
        "__CURSOR=\(Self.cursor.replacing("%", with: "\(number)"))\n__REALTIME_TIMESTAMP=\(number)\nMESSAGE=\(number)\n\n"
    }

    @Test("each choice selects what it selects from the same journal on this machine")
    func choosing() throws {
        let scene = try RemoteScene(3000)
        let gateway = try TestGateway(scene.journal)
        for choice in RemoteScene.choices {
            let ended = try run([gateway.from, "--no-follow"] + choice)
            #expect(try ended == scene.local(choice), "\(choice)")
        }
        let lines = try TailProcess.run(
            ["tail", gateway.from, "--no-follow", "-n", "1", "--utc"],
            environment: RemoteScene.environment
        )
        #expect(lines.output == "Nov 14 22:13:22 127.0.0.1 c\\d: number 2999\n")
    }

    @Test("when the server has ended, it is waited for; nothing is lost, and nothing comes twice")
    func resuming() throws {
        let scene = try RemoteScene(20)
        let gateway = try TestGateway(scene.journal)
        let process = try TailProcess(
            ["tail", gateway.from, "-n", "3", "-o", "cat", "priority != 2"],
            environment: RemoteScene.environment
        )
        try process.wait(forOutput: "number 19\n")
        try scene.add(10)
        try process.wait(forOutput: "number 29\n")
        for last in [39, 49] {
            gateway.stop()
            try scene.add(10)
            try gateway.start()
            try process.wait(forOutput: "number \(last)\n")
        }
        let ended = try process.interrupt()
        let numbers = [16, 17, 19] + (20..<50).filter { $0 % 8 != 2 }
        #expect(ended.output == Export.lines(numbers) && ended.status == -SIGTERM)
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.count(where: { $0.hasSuffix("; trying again") }) == 2)
        #expect(lines.count(where: { $0.hasSuffix("; what was written meanwhile follows") }) == 2 && lines.count == 4)
    }

    @Test("a certificate is checked; curl's options say what it is checked with")
    func certificates() throws {
        let scene = try RemoteScene(3)
        let (key, certificate) = (scene.folder.path("key.pem"), scene.folder.path("cert.pem"))
        let made = try Command.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]
        )
        try #require(made.status == 0)
        let gateway = try TestGateway(scene.journal, ["--key=\(key)", "--cert=\(certificate)"])
        let from = "--from=https://127.0.0.1:\(gateway.port)"
        let refused = try run([from, "--no-follow"])
        #expect(refused.status == 3 && refused.errors.hasPrefix("busctl-rx: 127.0.0.1: curl: (60) "))
        #expect(refused.errors.split(separator: "\n").count == 1)
        try "cacert = \"\(certificate)\"\n".write(
            toFile: scene.folder.path("curl"),
            atomically: false,
            encoding: .utf8
        )
        let accepted = try run([from, "--no-follow", "--curl-config", scene.folder.path("curl")])
        #expect(accepted.output == Export.lines(0..<3) && accepted.errors.isEmpty)
        let environment = RemoteScene.environment.merging(["CURL_CA_BUNDLE": certificate]) { own, _ in own }
        let known = try TailProcess.run(["tail", from, "--no-follow", "-o", "cat"], environment: environment)
        #expect(known.output == Export.lines(0..<3) && known.status == 0)
    }

    @Test(
        "what is no journal, or cannot be reached, is one line, and the status is 3",
        arguments: [
            ("<html><body>Welcome</body></html>\n", "found \"<html><body>Welcome</body></html>\""),
            ("Welcome\n", "found \"Welcome\""), ("MESSAGE=a\nMESSAGE\n", "the output ends inside an entry"),
            ("MESSAGE=a\n\n", "an entry came without a cursor"), ("MESSAGE", "the stream ends inside a field"),
        ]
    )
    func garbage(_ body: String, _ reason: String) throws {
        for arguments in [[], ["--no-follow"]] {
            let server = try ScriptedServer([body])
            let ended = try run([server.from, "-n", "all"] + arguments)
            #expect(ended.status == 3 && ended.errors.contains(reason))
            #expect(ended.errors.hasPrefix("busctl-rx: 127.0.0.1: ") && ended.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("an error of the server, or of curl, is told in curl's words")
    func errors() throws {
        let server = try ScriptedServer(["no"], head: "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")
        let missing = try run([server.from])
        #expect(missing.errors == "busctl-rx: 127.0.0.1: curl: (22) The requested URL returned error: 404\n")
        let scene = try RemoteScene(1)
        let gateway = try TestGateway(scene.journal)
        gateway.stop()
        let refused = try run([gateway.from])
        #expect(refused.status == 3 && refused.errors.hasPrefix("busctl-rx: 127.0.0.1: curl: (7) "))
        // A machine that is down at the start is waited for if that is asked.
        let process = try TailProcess(
            ["tail", gateway.from, "--reconnect", "-o", "cat"],
            environment: RemoteScene.environment
        )
        try process.wait(forErrors: "; trying again\n")
        try gateway.start()
        try process.wait(forOutput: "number 0\n")
        #expect(try process.interrupt().status == -SIGTERM)
    }

    @Test("it goes on with the last entry that came, and says when that is gone; an unfinished entry is none")
    func continuing() throws {
        let server = try ScriptedServer([
            entry(1) + entry(2), entry(2) + entry(3) + "__CURSOR=", entry(3), entry(3) + entry(4), entry(9),
        ])
        let process = try TailProcess(["tail", server.from, "-o", "cat"], environment: RemoteScene.environment)
        try process.wait(forOutput: "9\n")
        let requests = server.requests
        let ended = try process.interrupt()
        #expect(ended.output == "1\n2\n3\n4\n9\n")
        #expect(ended.errors.contains("the last entry before is no longer in the journal"))
        for (request, number) in zip(requests.dropFirst(), [2, 3, 3, 4]) {
            let cursor = Self.cursor.replacing("%", with: "\(number)")
            #expect(request.contains("Range: entries=\(cursor):0:9223372036854775807\r\n"))
            #expect(request.hasPrefix("GET /entries?follow HTTP/1.1\r\n"))
        }
    }
}
