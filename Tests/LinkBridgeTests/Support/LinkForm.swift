import Bus
import LinkBridge
import TestSupport
import Testing
import Timers

/// The ways in which a bus is carried.
enum LinkForm: CaseIterable, Sendable, CustomTestStringConvertible {
    case process, unix
    case nats

    var testDescription: String { "\(self)" }

    /// Those with more than one bus.
    static let carried = allCases.filter { $0 != .process }
}

/// A place over which programs are linked, for one test.
final class TestPlace: Sendable {
    let form: LinkForm
    private let folder = TapFolder()
    /// The one bus of the form that has one.
    private let common = NotificationBus()
    let server: TestNATSServer?

    init(_ form: LinkForm) async throws {
        self.form = form
        server = form == .nats ? try await TestNATSServer.start() : nil
    }

    var socket: String { folder.socket }

    /// The text of the address. In some forms one program of the place is the first.
    func address(isFirst: Bool = false) -> String {
        switch form {
        case .process: return "process"
        case .unix: return "unix:\(folder.socket)\(isFirst ? "?serve" : "")"
        case .nats: return "\(server?.url ?? "")/test.bus"
        }
    }

    /// A program's bus and link, once it is connected.
    func program(
        _ name: String,
        _ topics: [SharedTopic],
        isFirst: Bool = false,
        _ change: (inout LinkOptions) -> Void = { _ in }
    ) async throws -> LinkedProgram {
        var options = LinkOptions()
        options.program = name
        options.backoff = .exponential(from: .milliseconds(1), upTo: .milliseconds(20))
        change(&options)
        let bus = form == .process ? common : NotificationBus()
        let program = LinkedProgram(
            bus,
            bus.link(topics, over: try BusAddress(address(isFirst: isFirst)), options: options)
        )
        await until { program.isConnected }
        return program
    }
}

/// A bus with a link, as one program has.
final class LinkedProgram: Sendable {
    let bus: NotificationBus
    let link: BusLink
    private let heardNews = Heard<LinkNews>()

    init(_ bus: NotificationBus, _ link: BusLink) {
        self.bus = bus
        self.link = link
        link.news.subscribe(next: heardNews.append).store(in: subscriptions)
    }

    let subscriptions = CompoundDisposable()

    deinit {
        link.dispose()
        subscriptions.dispose()
    }

    var news: [LinkNews] { heardNews.values }

    /// How often it has connected.
    var connections: Int { news.count { if case .connected = $0 { true } else { false } } }

    var isConnected: Bool { connections > 0 }

    var disconnections: Int { news.count { if case .disconnected = $0 { true } else { false } } }

    /// How many values of others are reported as missing.
    var missing: Int {
        news.reduce(0) { if case .missing(_, let count, _) = $1 { $0 + count } else { $0 } }
    }

    /// How many values of its own were not sent.
    var unsent: Int {
        news.reduce(0) { if case .unsent(_, let count, _) = $1 { $0 + count } else { $0 } }
    }

    var refusals: [String] {
        news.compactMap { if case .refused(_, let reason) = $0 { reason } else { nil } }
    }

    /// What is heard on a topic of the bus from now on.
    func heard<Value: Sendable>(on topic: Topic<Value>) -> Heard<Value> {
        let heard = Heard<Value>()
        bus.signal(for: topic).subscribe(next: heard.append).store(in: subscriptions)
        return heard
    }
}

/// A numbered value.
struct Numbered: Codable, Sendable, Hashable {
    var from: String
    var number: Int
}

/// Lists within each other.
struct Nested: Codable, Sendable {
    let depth: Int

    init(depth: Int) { self.depth = depth }

    init(from decoder: any Decoder) throws {
        depth = try (decoder.singleValueContainer().decode([Nested].self).first?.depth ?? 0) + 1
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.singleValueContainer()
        try list.encode(depth > 1 ? [Nested(depth: depth - 1)] : [])
    }
}

extension Topic where Value == Numbered {
    static let numbers = Topic("test.numbers")
    static let others = Topic("test.others")
}
