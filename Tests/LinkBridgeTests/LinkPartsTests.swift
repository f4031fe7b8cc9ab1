import Bus
import TestSupport
import Testing
import Timers

@testable import LinkBridge

@Suite("The parts of a link")
struct LinkPartsTests {
    @Test(
        "Addresses of a bus",
        arguments: [
            ("process", "process"), ("unix:/run/app/bus", "unix:/run/app/bus"),
            ("unix:/run/app/bus?serve", "unix:/run/app/bus?serve"), ("unix:/run/a%20b%3Fserve", "unix:/run/a b?serve"),
        ]
    )
    func addresses(_ text: String, _ shown: String) throws {
        #expect("\(try BusAddress(text))" == shown)
    }

    @Test(
        "Texts that are no address of a bus",
        arguments: [
            ("", "write process, unix:/PATH"), ("bus", "write process"), ("process?x", "takes no options"),
            ("unix:bus", "begins with a slash"), ("unix:", "begins with a slash"), ("unix:/", "end with one"),
            ("unix:/a?mode=1", "only \"serve\""), ("unix:/%zz", "hexadecimal"), ("unix:/a%00b", "none of them zero"),
            ("unix:/" + String(repeating: "x", count: 107), "at most 107 bytes"), ("http://a/b", "write process"),
        ]
    )
    func badAddresses(_ text: String, _ reason: String) {
        let error = #expect(throws: BusAddressError.self) { try BusAddress(text) }
        #expect(error?.description.contains(reason) == true && error?.description.contains("\n") == false)
    }

    @Test(
        "Addresses of a server",
        arguments: [
            ("nats://a:4222/shop", "nats://a:4222/shop"), ("nats://u:p@a/shop.test", "nats://a/shop.test"),
            ("tls://a,b:1/x?creds=%2Fetc%2Fc&ca=/etc/d", "tls://a, tls://b:1/x"),
            ("nats://[::1]:4222/x", "nats://[::1]:4222/x"),
        ]
    )
    func servers(_ text: String, _ shown: String) throws {
        #expect("\(try BusAddress(text))" == shown)
    }

    @Test(
        "Texts that are no address of a server",
        arguments: [
            ("nats://a:4222", "behind a slash stands the prefix"), ("nats://a/", "behind a slash"),
            ("nats:///x", "write a server as"), ("nats://:4222/x", "the host is missing"),
            ("nats://a:0/x", "1 to 65535"),
            ("nats://a:99999/x", "1 to 65535"), ("nats://a:b/x", "1 to 65535"),
            ("nats://a/x.>", "no name of topics"),
            ("nats://a/x..y", "no name of topics"), ("nats://a/$SYS", "uses itself"),
            ("nats://a/_INBOX.x", "uses itself"),
            ("nats://a/x?stream=y", "no option 'stream'"), ("nats://a/x?creds=", "creds needs a value"),
            ("nats://u:secret@a:0/x", "1 to 65535"), ("nats://u:p,secret@a/x", "what a comma before"),
            ("nats://u:secret,w@a/x", "what a comma before"), ("nats://u:secret/w@a/x", "what the slash before"),
            ("nats://secret/w@a/x", "what the slash before"), ("nats://u:secret?w@a/x", "a question mark cannot"),
            ("nats://u:p?secret=w@a/x", "a question mark cannot"),
            ("nats://a:1,u:secret@b:2/x", "begins with nats://"),
        ]
    )
    func badServers(_ text: String, _ reason: String) {
        let error = #expect(throws: BusAddressError.self) { try BusAddress(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("secret") == false)
    }

    private static func message(from sender: LinkSender, _ json: String) -> LinkMessage {
        LinkMessage(sender: sender, sequence: 1, time: 1, origin: "", traceparent: nil, payload: Array(json.utf8))
    }

    @Test("A message whose sending fails after the connection has ended is reported")
    func unsentOverNATS() async throws {
        let server = try await TestNATSServer.start()
        guard case .nats(let address, let prefix) = try BusAddress("\(server.url)/test.bus").place else {
            Issue.record("no address of a server")
            return
        }
        let (connected, unsent) = (Heard<Bool>(), Heard<TopicName>())
        let thread = ThreadScheduler(name: "bus-test")
        let sender = LinkSender(program: "a")
        let context = LinkContext(thread: thread, sender: sender, heard: [], options: LinkOptions()) { event in
            switch event {
            case .connected: connected.append(true)
            case .unsent(let topic, _): unsent.append(topic)
            default: break
            }
        }
        let carrier = NATSCarrier(address, prefix: prefix, context)
        thread.schedule { carrier.start() }
        await until { !connected.values.isEmpty }
        let message = Self.message(from: sender, "1")
        thread.schedule {
            carrier.stop(within: .zero) { thread.schedule { carrier.send(message, on: "test.numbers") } }
        }
        await until { !unsent.values.isEmpty }
        #expect(unsent.values == ["test.numbers"])
    }

    /// Reports nothing by itself.
    private final class SilentCarrier: LinkCarrier {
        func start() {}
        let isReady = true
        func send(_ message: LinkMessage, on topic: TopicName) {}
        let isIdle = true
        func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) { done() }
    }

    @Test("A message whose sending fails after the link has connected again is reported")
    func unsentLate() async throws {
        let (contexts, news) = (Heard<LinkContext>(), Heard<LinkNews>())
        var options = LinkOptions()
        options.backoff = .exponential(from: .milliseconds(1), upTo: .milliseconds(20))
        let bus = NotificationBus()
        let core = LinkCore(bus, [], over: try BusAddress("process"), options) { context in
            contexts.append(context)
            return SilentCarrier()
        }
        let subscription = core.news.subscribe(next: news.append)
        core.start()
        await until { contexts.values.count == 1 }
        let first = contexts.values[0]
        first.thread.schedule { first.report(.failed("it broke")) }
        await until { contexts.values.count == 2 }
        first.thread.schedule { first.report(.unsent("test.numbers", "it was on its way")) }
        let late = LinkNews.unsent(topic: "test.numbers", count: 1, reason: "it was on its way")
        await until { news.values.contains(late) }
        #expect(news.values == [.disconnected(reason: "it broke"), late])
        core.end()
        subscription.dispose()
    }

    @Test("When the program that serves ends only the connection for posts, the carrier fails without waiting")
    func postingEnds() async throws {
        let place = try await TestPlace(.unix)
        let server = try await place.program("a", [], isFirst: true)
        let (connected, failures) = (Heard<Bool>(), Heard<String>())
        let thread = ThreadScheduler(name: "bus-test")
        let sender = LinkSender(program: "b")
        let context = LinkContext(thread: thread, sender: sender, heard: ["test.x"], options: LinkOptions()) { event in
            switch event {
            case .connected: connected.append(true)
            case .failed(let reason): failures.append(reason)
            default: break
            }
        }
        // Longer than the run.
        let carrier = TapCarrier(place.socket, context, patience: .seconds(86_400))
        thread.schedule { carrier.start() }
        await until { !connected.values.isEmpty }
        // The program cuts off a client that sends more than a message may have.
        let message = Self.message(from: sender, "\"\(String(repeating: "x", count: 1 << 20))\"")
        thread.schedule { carrier.send(message, on: "test.x") }
        await until { !failures.values.isEmpty }
        #expect(failures.values.count == 1 && server.disconnections == 0)
    }

    @Test(
        "Values of all topics leave a line in the order in which they were posted, the oldest of a full topic are left out"
    )
    func queue() {
        let queue = OutgoingQueue(limit: 2)
        func add(_ number: Int, _ topic: TopicName) -> Bool {
            let value = OutgoingValue(uptime: Int64(number), origin: CodeLocation(fileID: "x", line: 1)) { [] }
            return queue.add(value, to: topic, nil)
        }
        #expect(add(1, "a") && !add(2, "b") && !add(3, "a") && !add(4, "a"))
        #expect(queue.count == 3)
        #expect(!queue.lose(3, of: "c.>"))
        #expect(queue.takeLosses().map(\.count) == [1, 3] && queue.takeLosses().isEmpty)
        let first = queue.take()
        #expect(first?.topic == "b" && first?.sequence == 1)
        #expect([queue.take(), queue.take()].map { $0?.sequence } == [2, 3])
        #expect(queue.take() == nil && queue.lose(1, of: "c.>") && !add(5, "a"))
        #expect(queue.close().map(\.count) == [1])
        #expect(!add(6, "a") && !queue.lose(1, of: "c.>") && queue.take() == nil)
    }

    /// Notes values that were posted at once.
    private struct TimedNumbers {
        private var numbers: SenderNumbers

        init(limit: Int) { numbers = SenderNumbers(limit: limit) }

        mutating func note(_ sequence: UInt64, of sender: String, on topic: TopicName) -> Int? {
            numbers.note(sequence, of: sender, on: topic, at: 0)
        }
    }

    @Test("After a number that was wrong, the sender's values are heard again at once; values from before it are late")
    func wrongNumber() {
        var numbers = SenderNumbers(limit: 2)
        func note(_ sequence: UInt64, at time: Int64) -> Int? { numbers.note(sequence, of: "a", on: "x", at: time) }
        #expect(note(5, at: 50) == 0)
        #expect(note(1_000_000, at: 60) == 999_994)
        #expect(note(3, at: 30) == nil && note(999_999, at: 59) == nil)
        #expect(note(6, at: 70) == 0 && note(7, at: 80) == 0 && note(9, at: 90) == 1)
        #expect(note(8, at: 85) == nil)
    }

    @Test("Missing numbers, sender by sender and topic by topic")
    func numbers() {
        var numbers = TimedNumbers(limit: 2)
        #expect(numbers.note(7, of: "a", on: "x") == 0)
        #expect(numbers.note(8, of: "a", on: "x") == 0 && numbers.note(11, of: "a", on: "x") == 2)
        #expect(numbers.note(3, of: "a", on: "y") == 0)
        #expect(numbers.note(11, of: "a", on: "x") == 0 && numbers.note(13, of: "a", on: "x") == 1)
        // One that was counted as missing comes late. It does not make the others missing again.
        #expect(numbers.note(9, of: "a", on: "x") == nil && numbers.note(14, of: "a", on: "x") == 0)
        // The last two are remembered. One that is silent while several others send is forgotten.
        #expect(numbers.note(1, of: "b", on: "x") == 0 && numbers.note(17, of: "a", on: "x") == 2)
        for sender in ["b", "c", "d"] { _ = numbers.note(2, of: sender, on: "x") }
        #expect(numbers.note(4, of: "d", on: "x") == 1)
        #expect(numbers.note(9, of: "a", on: "y") == 0)
        #expect(numbers.note(.max, of: "d", on: "x") == Int.max)
    }

    @Test("Traces in the standard's form")
    func traces() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        #expect(TraceParent(good)?.text == good && TraceParent("cc" + good.dropFirst(2) + "-what-comes") != nil)
        let zero = String(repeating: "0", count: 32)
        for bad in [
            "", "00", good.uppercased(), good + "-x", "ff" + good.dropFirst(2), String(good.dropLast()), good + " ",
            "00-\(zero)-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        ] {
            #expect(TraceParent(bad) == nil, "\(bad)")
        }
    }

    @Test("A message as JSON is read as it was written")
    func message() throws {
        let sender = LinkSender(id: "0123456789abcdef", name: "a \"b\" \\c")
        let message = LinkMessage(
            sender: sender,
            sequence: 1 << 62,
            time: -5,
            origin: "A/b.swift:7",
            traceparent: TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
            payload: Array(#"{"x":[1,"}"]}"#.utf8)
        )
        let read = try LinkMessage(json: message.json)
        #expect(read.sender == sender && read.sequence == 1 << 62 && read.time == -5 && read.origin == message.origin)
        #expect(read.traceparent == message.traceparent && read.payload == message.payload)
        let brackets = String(repeating: "[", count: 200)
        #expect(!LinkMessage.isTooDeep(Array(#"["\#(brackets)\"\#(brackets)"]"#.utf8)))
        #expect(!LinkMessage.isTooDeep(Array("[\(String(repeating: "[],", count: 200))0]".utf8)))
        #expect(AnyJSON.isOne(read.payload) && AnyJSON.isOne(Array("7".utf8)) && !AnyJSON.isOne(Array("{]".utf8)))
    }

    @Test("A program's name is shown without what a terminal or a header would obey")
    func names() {
        #expect(LinkSender.visible("a\u{1B}[1m\r\né") == "a?[1m????")
        #expect(LinkSender.visible(String(repeating: "x", count: 1000)).utf8.count == LinkMessage.textLimit)
        let sender = LinkSender(program: "sensor")
        #expect(sender.id.utf8.count == 16 && sender.name.hasPrefix("sensor[") && sender.name.contains(" on "))
        #expect(LinkSender(program: nil).id != sender.id)
    }
}
