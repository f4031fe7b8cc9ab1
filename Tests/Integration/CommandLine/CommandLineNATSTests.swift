import Bus
import Foundation
import Glibc
import NATSBridge
import TestSupport
import Testing

@Suite(
    "busctl-rx reads from a NATS server",
    .enabled(if: Command.exists("/usr/sbin/nats-server"), "needs nats-server")
)
struct CommandLineNATSTests {
    @Test("members of JSON objects are fields, other payloads the message; a filter chooses; headers are there")
    func fields() async throws {
        let scene = try await NATSScene()
        let process = try scene.start(
            "tail",
            scene.from("orders.>"),
            "--count",
            "3",
            "--template",
            "{sequence}|{severity}|{subject}|{message}|{n}|{headers}",
            "subject != 'orders.noise' && (!has(n) || n > 3)"
        )
        try await scene.nats.publish(
            #"{"level":"error","msg":"hello","n":5}"#,
            to: "orders.new",
            headers: ["Trace": "7"]
        )
        try await scene.nats.publish("no", to: "orders.noise")
        try await scene.nats.publish(#"{"n":2}"#, to: "orders.new")
        try await scene.nats.publish("plain", to: "orders.old")
        try await scene.nats.publish([0x7B, 0xFF], to: "orders.a.b")
        let ended = try process.end()
        #expect(
            ended.output == """
                1|err|orders.new|hello|5|{"Trace":"7"}
                4||orders.old|plain||
                5||orders.a.b|{\u{FFFD}||

                """
        )
        #expect(ended.status == 0 && ended.errors == "")
    }

    @Test("a stream is read from its first message, its last, a number, a time, and one subject of it")
    func stream() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("ORDERS", of: "orders.>")
        for number in 1...300 { try await scene.store("\(number)", number % 100 == 0 ? "orders.b" : "orders.a") }
        func read(_ source: String, _ more: String...) throws -> [Int] {
            let ended = try TailProcess.run(["tail", scene.from(source), "--no-follow", "-o", "cat"] + more)
            #expect(ended.errors == "")
            return ended.output.split(separator: "\n").compactMap { Int($0) }
        }
        #expect(try read("orders.>?from=first") == Array(1...300))
        #expect(try read("orders.b?from=first") == [100, 200, 300])
        #expect(try read("orders.>?from=299&stream=ORDERS") == [299, 300])
        #expect(try read("orders.>?from=last") == [300])
        #expect(try read("orders.>?from=@0") == Array(1...300))
        #expect(try read("orders.>?from=first", "-n", "2") == [299, 300])
        #expect(try read("orders.>?from=first", "sequence <= 2") == [1, 2])
        let following = try TailProcess(["tail", scene.from("orders.a?from=298"), "-o", "cat", "--count", "3"])
        try following.wait(forOutput: "299\n")
        try await scene.store("301", "orders.a")
        #expect(try following.end().output == "298\n299\n301\n")
    }

    @Test("--reconnect waits for the server, says so once, and goes on behind the last message of a stream")
    func reconnect() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("ORDERS", of: "orders.>")
        let stored = try scene.start("tail", scene.from("orders.>?from=first"), "--reconnect", "-o", "cat")
        let live = try scene.start("tail", scene.from("orders.>"), "--reconnect", "-o", "cat")
        try await scene.store("1", "orders.a")
        for process in [stored, live] { try process.wait(forOutput: "1\n") }
        await scene.server.stop()
        for process in [stored, live] { try process.wait(forErrors: "waiting for it\n") }
        try await scene.server.restart()
        try live.wait(forErrors: "nats: the connection was lost; what was sent meanwhile is missing here\n")
        try await scene.store("2", "orders.a")
        try stored.wait(forOutput: "2\n")
        let ended = try stored.interrupt()
        #expect(ended.output == "1\n2\n")
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
        #expect(try live.interrupt().errors.split(separator: "\n").count == 2)
    }

    @Test(
        "--reconnect waits for a stream that a server has lost, says so once, and reads the one that is made anew"
    )
    func streamMadeAnew() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("ORDERS", of: "orders.>")
        let sources = ["orders.>?from=first", "orders.a?from=new&stream=ORDERS"]
        let processes = try sources.map {
            try scene.start("tail", scene.from($0), "--reconnect", "-o", "json")
        }
        for text in ["1", "2"] { try await scene.store(text, "orders.a") }
        for process in processes { try process.wait(forOutput: "\"message\":\"2\"") }
        await scene.server.stop()
        for process in processes { try process.wait(forErrors: "waiting for it\n") }
        try FileManager.default.removeItem(atPath: scene.server.folder + "/store")
        let asked = Heard<NATSMessage>()
        try await scene.server.restart()
        // Both find their stream in two different ways.
        let listening = scene.nats.messages(to: "$JS.API.STREAM.>")
            .subscribe(next: { asked.append($0) }, failed: { Issue.record("\($0)") })
        await until {
            ["NAMES", "INFO.ORDERS"].allSatisfy { name in
                asked.values.count { $0.subject.hasSuffix(name) } >= 2
            }
        }
        listening.dispose()
        try await scene.makeStream("ORDERS", of: "orders.>")
        for text in ["3", "4", "5"] { try await scene.store(text, "orders.a") }
        for process in processes {
            try process.wait(forOutput: "\"message\":\"5\"")
            let ended = try process.interrupt()
            // The outage, and the gap.
            #expect(ended.errors.split(separator: "\n").count == 2, "\(ended.errors)")
            let messages = ended.output.split(separator: "\n").compactMap {
                $0.split(separator: "\"message\":\"").last?.prefix { $0 != "\"" }
            }
            let gap = "the stream was made anew; its earlier messages are missing here"
            #expect(messages.map(String.init) == ["1", "2", gap, "3", "4", "5"], "\(ended.output)")
        }
    }

    @Test("messages that a stream has removed while the server was away are a gap")
    func removed() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("ORDERS", of: "orders.>")
        let process = try scene.start("tail", scene.from("orders.>?from=first"), "--reconnect", "-o", "json")
        for text in ["1", "2"] { try await scene.store(text, "orders.a") }
        try process.wait(forOutput: "\"message\":\"2\"")
        // What is stored with the new server cannot reach the process: its connection has ended.
        process.send(SIGSTOP)
        await scene.server.stop()
        try await scene.server.restart()
        for text in ["3", "4", "5"] { try await scene.store(text, "orders.a") }
        _ = try await scene.nats.request(#"{"seq":6}"#, to: "$JS.API.STREAM.PURGE.ORDERS", timeout: .seconds(600))
        process.send(SIGCONT)
        try await scene.store("6", "orders.a")
        try process.wait(forOutput: "\"message\":\"6\"")
        let objects = try process.interrupt().output.split(separator: "\n").map(String.init)
        #expect(objects.count == 4 && objects[2].contains("up to 3 messages are missing here"), "\(objects)")
    }

    @Test("of new messages, those that are stored without a connection come, too, also the first ones")
    func newAfterAnOutage() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("ORDERS", of: "orders.>")
        try await scene.store("0", "orders.a")
        let process = try scene.start("tail", scene.from("orders.>?from=new"), "--reconnect", "-o", "cat")
        // The process gets nothing from the new server before it has connected to it.
        process.send(SIGSTOP)
        await scene.server.stop()
        try await scene.server.restart()
        for text in ["1", "2"] { try await scene.store(text, "orders.a") }
        process.send(SIGCONT)
        try process.wait(forOutput: "2\n")
        #expect(try process.interrupt().output == "1\n2\n")
    }

    @Test("what cannot be read is one line, and status 3")
    func refused() async throws {
        let scene = try await NATSScene(
            NATSScene.configuration + """

                authorization {
                  users = [
                    { user: "all", password: "x" }
                    { user: "few", password: "x", permissions: { subscribe: ["open.>", "_INBOX.>"] } }
                  ]
                }
                """
        )
        func expect(_ source: String, _ text: String) throws {
            let ended = try TailProcess.run("tail", "--from=\(source)")
            #expect(ended.status == 3 && ended.output == "", "\(source): \(ended)")
            #expect(
                ended.errors.contains(text) && ended.errors.split(separator: "\n").count == 1,
                "\(ended.errors)"
            )
            #expect(!ended.errors.contains("secret"), "\(ended.errors)")
        }
        let place = "127.0.0.1:\(scene.server.port)"
        try expect("nats://all:secret@\(place)/x", "the server refuses the user or the credentials")
        try expect("nats://\(place)/x", "the server refuses the user or the credentials")
        try expect("nats://\(place)/x?creds=/none", "the credentials file /none: No such file or directory")
        try expect("nats://few:x@\(place)/closed", "the server does not permit it")
        try expect("nats://all:x@\(place)/a..b", "\"a..b\" is not a subject")
        try expect("nats://all:x@\(place)/x?from=first", "no stream of JetStream stores the subject")
        try expect("nats://all:x@\(place)/x?stream=NONE", "stream not found")
        try expect("nats:tls://all:x@\(place)/x", "no secure connection can be made")
        try expect("nats://127.0.0.1:1/x", "no NATS server can be reached")
    }

    @Test("a work queue is not read, because that would take its messages")
    func workQueue() async throws {
        let scene = try await NATSScene()
        try await scene.makeStream("WORK", of: "work.>", #","retention":"workqueue""#)
        try await scene.store("1", "work.a")
        let ended = try TailProcess.run("tail", scene.from("work.>?from=first"), "--no-follow")
        #expect(ended.status == 3 && ended.errors.contains("the stream is a work queue"), "\(ended)")
    }

    @Test("wrong values are explained")
    func usage() throws {
        for (source, text) in [
            ("nats:orders", "write a server and, behind a slash, a subject"),
            ("nats://host/", "write a server and, behind a slash, a subject"),
            ("nats:http://host/x", "write a server as nats://HOST:PORT or tls://HOST:PORT"),
            ("nats:///x", "write a server as nats://HOST:PORT"),
            ("nats://host/x?form=1", "there is no option 'form'"),
            ("nats://u:secret@host/x?form=1", "'nats://…@host/x?form=1'"),
            ("nats://host/x?from=soon", "from= takes first, last, new"),
            ("nats://host/x?from=1&from=2", "from is given twice"),
            ("nats://host/x?creds=", "creds needs a value"),
            ("nats://host/%zz", "write a server and, behind a slash, a subject"),
        ] {
            let ended = try TailProcess.run("tail", "--from=\(source)")
            #expect(ended.status == 2 && ended.errors.contains(text), "\(source): \(ended)")
            #expect(!ended.errors.contains("secret"), "\(ended)")
        }
    }
}
