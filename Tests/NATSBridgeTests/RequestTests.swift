import Bus
import BusTesting
import NATSBridge
import TestSupport
import Testing

@Suite("Requests and replies over a real nats-server")
struct RequestTests {
    @Test("A request is answered by the handler, with headers both ways")
    func answered() async throws {
        let server = try await TestNATSServer.start()
        let (asking, answering) = (server.connection(), server.connection())
        let replies = Recorder(
            answering.replies(to: "double.*") { request in
                NATSReply("\((Int(request.text) ?? 0) * 2)", headers: ["For": request.headers["From"] ?? ""])
            }
        )
        try await answering.flush()
        for number in [1, 21, 333] {
            let reply = try await asking.request("\(number)", to: "double.it", headers: ["From": "test"])
            #expect(reply.text == "\(number * 2)" && reply.headers["For"] == "test")
        }
        await until { replies.valueCount == 3 }
        #expect(replies.values.map(\.text) == ["1", "21", "333"])
        replies.dispose()
    }

    @Test("Waiting requests are bounded by their bytes, too; those left out are counted")
    func largeRequests() async throws {
        let server = try await TestNATSServer.start()
        let (asking, answering) = (server.connection(), server.connection())
        let hold = ReplaySubject<Void, Never>(capacity: 1)
        let replies = Recorder(
            answering.replies(to: "large", maxConcurrent: 1) { _ in
                _ = try await hold.firstValue()
                return NATSReply("")
            }
        )
        try await answering.flush()
        let payload = [UInt8](repeating: 1, count: 1_000_000)
        for _ in 0..<100 {
            try await asking.publish(payload, to: "large")
            try await asking.flush(timeout: .seconds(600))
        }
        try await answering.flush(timeout: .seconds(600))
        // The losses are reported where the requests are missing, behind those that wait.
        hold.send(())
        await until { replies.lost + replies.valueCount == 100 }
        #expect(replies.lost > 0)
        replies.dispose()
    }

    @Test("Many at once are told apart")
    func concurrent() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let replies = Recorder(nats.replies(to: "echo") { NATSReply($0.payload) })
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    try await nats.request("\(number)", to: "echo", timeout: .seconds(600)).text != "\(number)"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        replies.dispose()
    }

    @Test("Nobody listens: it is said at once")
    func nobody() async throws {
        let server = try await TestNATSServer.start()
        let error = await #expect(throws: NATSError.self) {
            try await server.connection().request("", to: "nobody", timeout: .seconds(600))
        }
        #expect(error?.reason == .noResponders && error?.operation == "request \"nobody\"")
        #expect(error?.server == server.url)
    }

    @Test("No answer in time")
    func late() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let listening = Recorder(nats.messages(to: "silent"))
        let error = await #expect(throws: NATSError.self) {
            try await nats.request("", to: "silent", timeout: .milliseconds(20))
        }
        #expect(error?.reason == .timedOut)
        listening.dispose()
    }

    @Test("A handler's error arrives with its code and text")
    func failing() async throws {
        struct Broken: Error {}
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let replies = Recorder(
            nats.replies(to: "fail.*") { request in
                if request.subject == "fail.known" { throw NATSServiceError(code: 404, "no such\norder") }
                throw Broken()
            }
        )
        let known = await #expect(throws: NATSError.self) { try await nats.request("", to: "fail.known") }
        #expect(known?.reason == .service(code: 404, text: "no such order"))
        let other = await #expect(throws: NATSError.self) { try await nats.request("", to: "fail.other") }
        #expect(other?.reason == .service(code: 500, text: "Broken()"))
        replies.dispose()
    }

    @Test("A request whose reply subject breaks the rules is not answered, and ends nothing")
    func oddReplySubjects() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let replies = Recorder(nats.replies(to: "service") { NATSReply($0.payload) })
        try await nats.flush()
        // A client of this library does not send them.
        let script = #"""
            exec 3<>/dev/tcp/127.0.0.1/\#(server.port)
            printf 'CONNECT {"verbose":false}\r\n' >&3
            for reply in a..b 'x.*' $(printf '%02000d' 0); do printf 'PUB service %s 2\r\nhi\r\n' "$reply" >&3; done
            printf 'PING\r\n' >&3
            while read -r line <&3; do case $line in PONG*) exit 0 ;; esac; done
            exit 1
            """#
        try await offThePool { Result { try TestNATSServer.run(["/bin/bash", "-c", script]) } }.get()
        await until { replies.valueCount == 3 || replies.events.count > 3 }
        #expect(replies.values.map(\.text) == ["hi", "hi", "hi"])
        #expect(try await nats.request("yes", to: "service", timeout: .seconds(600)).text == "yes")
        replies.dispose()
    }

    private struct Quoting: Error, CustomStringConvertible { let description: String }

    @Test("An answer that cannot be sent is an error for its requester alone; an error's text is cut")
    func oddAnswers() async throws {
        let server = try await TestNATSServer.start("max_payload: 8192")
        let nats = server.connection()
        let replies = Recorder(
            nats.replies(to: "service.*") { request in
                switch request.subject {
                case "service.large": NATSReply([UInt8](repeating: 1, count: 10_000))
                case "service.header": NATSReply("", headers: ["Echo": request.headers["Nothing"] ?? ""])
                default: throw Quoting(description: "!" + request.text)
                }
            }
        )
        func problem(_ subject: String, _ content: String = "") async throws -> NATSError.Reason? {
            let error = await #expect(throws: NATSError.self) {
                _ = try await nats.request(content, to: subject, timeout: .seconds(600))
            }
            return error?.reason
        }
        func words(_ reason: NATSError.Reason?) -> String {
            guard case .service(500, let text)? = reason else { return "\(String(describing: reason))" }
            return text
        }
        #expect(words(try await problem("service.large")).contains("the message has 10000 bytes"))
        #expect(words(try await problem("service.header")).contains("the value of the header Echo is empty"))
        let quoted = try await problem("service.quoted", String(repeating: "é", count: 4000))
        #expect(quoted == .service(code: 500, text: "!" + String(repeating: "é", count: 511)))
        await until { replies.valueCount == 3 }
        replies.dispose()
    }

    @Test("A task that is cancelled waits no longer")
    func cancelled() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let asked = Recorder(nats.messages(to: "slow").take(first: 1))
        let task = Task { try await nats.request("", to: "slow", timeout: .seconds(600)) }
        await offThePool { asked.waitForEnd() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
