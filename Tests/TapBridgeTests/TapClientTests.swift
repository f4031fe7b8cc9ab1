import Bus
import Filter
import Records
import TestSupport
import Testing
import Timers

@testable import TapBridge
import SystemPackage

@Suite("A client of a tap")
struct TapClientTests {
    private let numbers = Topic<Int>("numbers")

    /// What a signal sent, in order.
    private final class Heard<Value: Sendable>: Sendable {
        private let state = Lock((values: [Value](), error: TapClientError?.none, isOver: false, lost: 0))
        private let subscription: any Disposable

        init(_ signal: some Signal<Value, TapClientError>) {
            subscription = signal.subscribe(
                next: { [state] value in state.withLock { $0.values.append(value) } },
                failed: { [state] error in
                    state.withLock {
                        $0.error = error
                        $0.isOver = true
                    }
                },
                completed: { [state] in state.withLock { $0.isOver = true } },
                lost: { [state] count in state.withLock { $0.lost += count } }
            )
        }

        var values: [Value] { state.withLock { $0.values } }
        var count: Int { state.withLock { $0.values.count } }
        var error: TapClientError? { state.withLock { $0.error } }

        func waitForEnd() -> TapClientError? {
            waitUntil { state.withLock { $0.isOver } }
            return error
        }

        func dispose() { subscription.dispose() }
    }

    private func isBegin(_ news: TapNews?) -> Bool { if case .began = news { true } else { false } }

    @Test("It hears the start of its watch, kept values, and posted values")
    func watch() throws {
        let served = try Served()
        served.bus.post(Deployment(service: "kept", version: 1), to: .kept)
        let heard = Heard(TapClient(path: served.folder.socket).watch(pattern: "deploy.*", count: 3))
        waitUntil { heard.count == 2 }
        #expect(isBegin(heard.values.first))
        served.bus.child(named: "inner").post(Deployment(service: "a\"b", version: 2), to: .started)
        served.bus.post(7, to: numbers)
        served.bus.post(Deployment(service: "c", version: 3), to: .started)
        #expect(heard.waitForEnd() == nil)
        let events = heard.values.compactMap { news in if case .event(let event) = news { event } else { nil } }
        #expect(events.map(\.topic) == ["deploy.kept", "deploy.started", "deploy.started"])
        #expect(events.map(\.sequence) == [1, 1, 2])
        #expect(
            events.map(\.scope) == ["", "inner", ""] && events.map(\.type) == .init(repeating: "Deployment", count: 3)
        )
        #expect(events[1].value.map { String(decoding: $0, as: UTF8.self) } == #"{"service":"a\"b","version":2}"#)
        #expect(events[1].origin.hasPrefix("TapBridgeTests/TapClientTests.swift:"))
    }

    @Test("Events are records, which filters can read")
    func records() throws {
        struct Plain: Sendable, CustomStringConvertible { var description: String { "plain \"text\"" } }
        let served = try Served()
        let heard = Heard(TapClient(path: served.folder.socket).watch(count: 2).records(named: "web"))
        waitUntil { served.isWatched }
        served.bus.post(Deployment(service: "db", version: 4), to: .started)
        served.bus.post(Plain(), to: Topic<Plain>("odd.value"))
        #expect(heard.waitForEnd() == nil)
        let records = heard.values
        #expect(records.count == 2)
        #expect(records.map(\.message) == [#"{"service":"db","version":4}"#, #"plain "text""#])
        #expect(
            records.map(\.source) == ["web", "web"]
                && records.map(\.content.speaker) == ["deploy.started", "odd.value"]
        )
        #expect(records[0].fieldNames == ["topic", "scope", "origin", "type", "value"])
        #expect(records[1]["value"] == #"plain "text""# && records[0]["topic"] == "deploy.started")
        #expect(records.allSatisfy { ($0.monotonic ?? .zero) > .zero && $0.time > 1_700_000_000_000_000 })
    }

    @Test("The filter is evaluated in the program; a refused filter is an error that says why")
    func filter() throws {
        var options = TapOptions()
        options.filterLimits.length = 20
        let served = try Served(options)
        let client = TapClient(path: served.folder.socket)
        let heard = Heard(client.watch(filter: "value > 2", count: 1))
        waitUntil { served.isWatched }
        for number in 1...3 { served.bus.post(number, to: numbers) }
        #expect(heard.waitForEnd() == nil)
        let events = heard.values.compactMap { news in if case .event(let event) = news { event.sequence } else { nil }
        }
        #expect(events == [3])
        let wrong = Heard(client.watch(filter: "valu > 2")).waitForEnd()
        #expect(wrong?.description.contains("line 1, column 1") == true && wrong?.isFilterOverLimit == false)
        let costly = Heard(client.watch(filter: "value > 2 || value > 3 || value > 4 || value > 5"))
        #expect(costly.waitForEnd()?.isFilterOverLimit == true)
        #expect(TapClient.canFilter("topic == 'a' && value.b > 2") && !TapClient.canFilter("message == 'a'"))
    }

    @Test("A client that is slower than the program learns how many events it missed")
    func slow() throws {
        var options = TapOptions()
        options.queue = 64
        let served = try Served(options)
        let gate = Latch()
        let reading = ThreadScheduler(name: "slow-client")
        let total = Lock((events: 0, lost: 0, last: 0))
        let subscription = TapClient(path: served.folder.socket)
            .watch(pattern: "numbers", buffer: 16 << 10, on: reading)
            .subscribe(
                next: { news in
                    switch news {
                    case .began: gate.wait()
                    case .event(let event):
                        total.withLock {
                            $0.events += 1
                            $0.last = Int(event.sequence)
                        }
                    case .gap(let lost, _): total.withLock { $0.lost += lost }
                    case .position: break
                    }
                },
                failed: { error in Issue.record("\(error)") }
            )
        let poster = served.bus.poster(for: numbers)
        waitUntil { poster.wantsValues }
        for number in 1...20_000 { poster.post(number) }
        gate.open()
        // The last one is heard only if there is room for it again.
        waitUntil {
            poster.post(0)
            return total.withLock { $0.last > 20_000 && $0.events + $0.lost == $0.last }
        }
        #expect(total.withLock { $0.lost } > 0)
        subscription.dispose()
        waitUntil { !poster.wantsValues }
    }

    @Test("It posts where the program allows it")
    func post() throws {
        var options = TapOptions()
        options.allowPosting(on: numbers) { json in json.count }
        let served = try Served(options)
        let received = Lock<[Int]>([])
        let subscription = served.bus.signal(for: numbers).subscribe(next: { value in
            received.withLock { $0.append(value) }
        })
        let client = TapClient(path: served.folder.socket)
        #expect(Heard(client.post(Array("12345".utf8), to: "numbers")).waitForEnd() == nil)
        #expect(received.withLock { $0 } == [5])
        let refused = Heard(client.post(Array("1".utf8), to: "others")).waitForEnd()
        #expect(refused?.description.hasSuffix("nobody may post on the topic others") == true)
        let broken = Heard(client.post(Array("{".utf8), to: "numbers")).waitForEnd()
        guard case .refused = broken else { return #expect(Bool(false), "\(String(describing: broken))") }
        subscription.dispose()
    }

    @Test("The end of the program fails a watch at once, and a retried watch reports the gap")
    func reconnecting() throws {
        var served: Served? = try Served()
        let folder = try #require(served).folder
        let client = TapClient(path: folder.socket)
        let once = Heard(client.watch())
        let again = Heard(
            client.watch().retry(backoff: .exponential(from: .milliseconds(1), upTo: .milliseconds(20))) {
                $0.isTemporary
            }
            .records(named: "bus")
        )
        let seen = Heard(client.watch().retry(backoff: .exponential(from: .milliseconds(1))) { $0.isTemporary })
        // Each of the three watches the bus before anything is posted, and has heard the value before the bus ends.
        waitUntil { once.count == 1 && seen.count == 1 && served?.bus.subscribers.count == 3 }
        served?.bus.post(1, to: numbers)
        waitUntil { once.count == 2 && seen.count == 2 && again.count == 1 }
        served?.bus.close()
        #expect(once.waitForEnd() == .closed(path: folder.socket))
        served?.tap.dispose()
        served = nil
        let bus = NotificationBus()
        let tap = try bus.serve(at: folder.socket)
        waitUntil { bus.subscribers.count == 2 }
        bus.post(2, to: numbers)
        waitUntil { again.values.last?.message == "2" && seen.count == 4 }
        #expect(isBegin(seen.values[2]))
        let records = again.values
        #expect(records.first?.message == "1")
        #expect(records.count == 3 && records[1].kind == .gap(lost: nil))
        again.dispose()
        seen.dispose()
        tap.dispose()
    }

    @Test("Without a tap, the error says what is missing and where")
    func missing() throws {
        let folder = TapFolder()
        let missing = Heard(TapClient(path: folder.socket).watch()).waitForEnd()
        #expect(missing == .cannotConnect(path: folder.socket, errno: .noSuchFileOrDirectory))
        #expect(missing?.isTemporary == true && missing?.description.hasSuffix("there is no such socket") == true)
        let long = Heard(TapClient(path: "/" + String(repeating: "x", count: 200)).watch()).waitForEnd()
        #expect(long?.isTemporary == false)
        let odd = Heard(TapClient(path: "/tmp/a\0b").watch()).waitForEnd()
        guard case .cannotConnect = odd else { return #expect(Bool(false), "\(String(describing: odd))") }
    }

    @Test(
        "A socket that is not a tap is reported as such, and the signal ends",
        arguments: [
            ("", false), ("{\"parameters\":{}", false), ("garbage\0", true), ("{}{}\0", true), ("[1]\0", true),
            ("{\"parameters\":[]}\0", true), ("{\"parameters\":{},\"continues\":1}\0", true),
            ("{\"parameters\":{\"kind\":\"gap\",\"lost\":-1},\"continues\":true}\0", true),
            ("{\"parameters\":{\"kind\":\"gap\",\"lost\":\"many\"},\"continues\":true}\0", true),
            ("{\"parameters\":{\"kind\":7},\"continues\":true}\0", true),
            ("{\"parameters\":{},\"continues\":true}\0", true), ("{\"error\":5}\0", true),
            ("{\"parameters\":{\"kind\":\"position\",\"positions\":[1]},\"continues\":true}\0", true),
        ]
    )
    func hostile(answer: String, isMalformed: Bool) {
        let standIn = StandInTap(answering: Array(answer.utf8))
        let error = Heard(TapClient(path: standIn.folder.socket).watch()).waitForEnd()
        if isMalformed {
            guard case .malformedReply = error else { return #expect(Bool(false), "\(String(describing: error))") }
        } else {
            #expect(error == .disconnected(path: standIn.folder.socket))
        }
    }

    @Test("A reply without an end is cut off, and unknown kinds of news are skipped")
    func unbounded() {
        let endless = StandInTap(answering: [UInt8](repeating: UInt8(ascii: "x"), count: TapReplies.limit + (1 << 20)))
        guard
            case .malformedReply(_, "a reply has no end") = Heard(TapClient(path: endless.folder.socket).watch())
                .waitForEnd()
        else { return #expect(Bool(false), "an endless reply was not refused") }
        let text =
            "{\"parameters\":{\"kind\":\"fireworks\"},\"continues\":true}\0{\"parameters\":{\"kind\":\"end\",\"reason\":\"count\"}}\0"
        let newer = StandInTap(answering: Array(text.utf8))
        let heard = Heard(TapClient(path: newer.folder.socket).watch())
        #expect(heard.waitForEnd() == nil && heard.values.isEmpty)
    }

    @Test("The elements of a list are found, whatever they contain")
    func lists() {
        func texts(_ list: String) -> [String] {
            JSONList.elements(of: Array(list.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(texts("[]") == [] && texts("[ ]") == [] && texts("{}") == [] && texts("") == [] && texts("[") == [])
        #expect(texts(#"[1,"a,]\"",[2,{"b":[3,4]}],{}]"#) == ["1", #""a,]\"""#, #"[2,{"b":[3,4]}]"#, "{}"])
    }
}
