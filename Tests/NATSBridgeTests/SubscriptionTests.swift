import Bus
import BusTesting
import Glibc
import NATSBridge
import TestSupport
import Testing

@Suite("Subjects as signals, from a real nats-server")
struct SubscriptionTests {
    @Test("A message arrives with its headers, its reply subject and every byte")
    func whole() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let recorder = Recorder(nats.messages(to: "orders.new").take(first: 3))
        var headers: NATSHeaders = ["Kind": "new", "Amount": "7"]
        headers.add("Kind", "second")
        try await nats.publish([0, 255, 10, 13, 0], to: "orders.new", headers: headers, replyTo: "answers.1")
        try await nats.publish("grüß", to: "orders.new")
        try await nats.publish([], to: "orders.new", headers: ["Only": "1"])
        await offThePool { recorder.waitForEnd() }
        let values = recorder.values
        try #require(values.count == 3)
        #expect(values[0].payload == [0, 255, 10, 13, 0] && values[0].reply == "answers.1")
        #expect(values[0].headers.values(of: "Kind") == ["new", "second"] && values[0].headers["Amount"] == "7")
        #expect(values[0].headers["kind"] == nil && values[0].headers.fields.count == 3)
        #expect(values[1] == NATSMessage(subject: "orders.new", payload: Array("grüß".utf8)))
        #expect(values[1].text == "grüß" && values[2].payload.isEmpty && values[2].headers["Only"] == "1")
        #expect(recorder.violations.isEmpty && recorder.lost == 0)
    }

    @Test("* stands for one token, > for one or more at the end")
    func wildcards() async throws {
        let server = try await TestNATSServer.start()
        let (listening, sending) = (server.connection(), server.connection())
        func heard(_ pattern: String) -> Recorder<String, NATSError> {
            Recorder(
                listening.messages(to: pattern).map(\.subject).merge(listening.messages(to: "end").map(\.subject))
                    .take(while: { $0 != "end" })
            )
        }
        let recorders = ["a.*", "a.>", "*.b", ">"].map(heard)
        try await listening.flush()
        for subject in ["a.b", "a.c", "a.b.c", "x.b", "a", "end"] { try await sending.publish("", to: subject) }
        await offThePool { for recorder in recorders { recorder.waitForEnd() } }
        #expect(recorders[0].values == ["a.b", "a.c"])
        #expect(recorders[1].values == ["a.b", "a.c", "a.b.c"])
        #expect(recorders[2].values == ["a.b", "x.b"])
        #expect(recorders[3].values == ["a.b", "a.c", "a.b.c", "x.b", "a"])
    }

    @Test("Of a queue group one member hears each message")
    func group() async throws {
        let server = try await TestNATSServer.start()
        let nats = (0..<3).map { _ in server.connection() }
        let heard = Heard<String>()
        let subscriptions = nats.map {
            $0.messages(to: "work", inGroup: "workers").subscribe(next: { heard.append($0.text) }, failed: { _ in })
        }
        for connection in nats { try await connection.flush() }
        for number in 0..<100 { try await nats[0].publish("\(number)", to: "work") }
        await until { heard.values.count == 100 }
        try await nats[0].flush()
        #expect(Set(heard.values).count == 100 && heard.values.count == 100)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test("While an observer pauses, each message is heard later or counted, and others hear theirs")
    func slow() async throws {
        let server = try await TestNATSServer.start()
        let (listening, sending) = (server.connection(), server.connection())
        let count = 3000
        let hold = Latch()
        let recorder = Recorder(
            listening.messages(to: "fast", limit: 100, on: ThreadScheduler(name: "slow")),
            onNext: { _ in
                hold.wait()
                return .more
            }
        )
        let end = Recorder(listening.messages(to: "end").take(first: 1))
        try await listening.flush()
        for number in 0..<count { try await sending.publish("\(number)", to: "fast") }
        try await sending.publish("", to: "end")
        // It comes behind the others, although one observer is blocked.
        await offThePool { end.waitForEnd() }
        #expect(recorder.valueCount <= 1)
        hold.open()
        await until { recorder.valueCount + recorder.lost >= count }
        #expect(recorder.valueCount + recorder.lost == count)
        #expect(recorder.lost > 0 && recorder.valueCount >= 100 && recorder.valueCount <= 100 + 2 * 64 + 2)
        let numbers = recorder.values.compactMap { Int($0.text) }
        #expect(numbers == numbers.sorted() && numbers.first == 0)
        recorder.dispose()
    }

    @Test("Bytes that wait are bounded, too, those of headers included", arguments: [false, true])
    func bytes(areOfHeaders: Bool) async throws {
        let server = try await TestNATSServer.start()
        let (listening, sending) = (server.connection(), server.connection())
        let hold = Latch()
        let recorder = Recorder(
            listening.messages(to: "big", byteLimit: 100_000, on: ThreadScheduler(name: "slow")),
            onNext: { _ in
                hold.wait()
                return .more
            }
        )
        let end = Recorder(listening.messages(to: "end").take(first: 1))
        try await listening.flush()
        let message =
            areOfHeaders
            ? NATSMessage(subject: "big", headers: ["Text": String(repeating: "7", count: 10_000)])
            : NATSMessage(subject: "big", payload: [UInt8](repeating: 7, count: 10_000))
        for _ in 0..<100 { try await sending.publish(message) }
        try await sending.publish("", to: "end")
        await offThePool { end.waitForEnd() }
        hold.open()
        await until { recorder.valueCount + recorder.lost >= 100 }
        #expect(recorder.valueCount + recorder.lost == 100)
        // Ten fill the room, and one was being heard.
        #expect((10...12).contains(recorder.valueCount))
        recorder.dispose()
    }

    /// In a process of its own, because the thread of libnats that it blocks serves all subscriptions of a process.
    @Test("Messages that libnats drops are counted, too, behind those that came earlier")
    func dropped() async throws {
        let server = try await TestNATSServer.start()
        await #expect(processExitsWith: .success) { [url = server.url as String] in
            let (listening, sending) = (NATSConnection(NATSOptions(url)), NATSConnection(NATSOptions(url)))
            let count = 1000
            let hold = Latch()
            let heard = Heard<String>()
            let recorder = Recorder(
                listening.messages(to: "fast", limit: 10, on: ImmediateScheduler()),
                onNext: { message in
                    hold.wait()
                    heard.append(message.text)
                    return .more
                },
                onLoss: { heard.append("lost \($0)") }
            )
            try await listening.flush(timeout: .seconds(600))
            try await sending.publish("0", to: "fast")
            await until { recorder.valueCount == 1 }
            for number in 1..<count { try await sending.publish("\(number)", to: "fast") }
            try await sending.flush(timeout: .seconds(600))
            // The answer comes behind the messages, so libnats has taken or dropped all of them.
            try await listening.flush(timeout: .seconds(600))
            // libnats calls back for one after the other, so it has said by then that it drops.
            try await sending.drain(timeout: .seconds(600))
            try await listening.flush(timeout: .seconds(600))
            #expect(recorder.valueCount == 1)
            hold.open()
            await until { heard.values.count >= 12 }
            // One was being heard, and libnats holds as many as the subscription's limit says.
            #expect(heard.values == (0...10).map { "\($0)" } + ["lost 989"])
            #expect(recorder.valueCount + recorder.lost == count)
        }
    }

    @Test("A subscription that was disposed of is taken back, and the others stay")
    func cancelling() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let gone = Recorder(nats.messages(to: "a"))
        let stays = Recorder(nats.messages(to: "a").take(first: 2))
        try await nats.publish("1", to: "a")
        await until { gone.valueCount == 1 }
        gone.dispose()
        try await nats.publish("2", to: "a")
        await offThePool { stays.waitForEnd() }
        #expect(gone.eventsAfterDisposal == 0 && gone.valueCount == 1 && stays.valueCount == 2)
    }

    @Test("A thousand subscriptions of one connection, on one thread")
    func thousand() async throws {
        let server = try await TestNATSServer.start()
        let nats = server.connection()
        let heard = Heard<String>()
        let subscriptions = (0..<1000).map { number in
            nats.messages(to: "many.\(number)").subscribe(next: { heard.append($0.subject) }, failed: { _ in })
        }
        try await nats.flush()
        let threads = Self.threads
        for number in 0..<1000 { try await nats.publish("", to: "many.\(number)") }
        await until { heard.values.count == 1000 }
        #expect(heard.values == (0..<1000).map { "many.\($0)" })
        // A thread for each would be a thousand. Other tests of the process have threads, too.
        #expect(threads < 900)
        for subscription in subscriptions { subscription.dispose() }
        try await nats.flush()
    }

    private static var threads: Int {
        var count = 0
        guard let folder = opendir("/proc/self/task") else { return .max }
        defer { closedir(folder) }
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
