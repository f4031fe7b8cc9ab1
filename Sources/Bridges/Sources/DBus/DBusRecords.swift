public import Bus
public import DBusBridge
public import FilterBridge
import Glibc
public import Records
import SystemPackage

/// Messages on a bus of D-Bus: `dbus:system`, `dbus:session`, `dbus:ADDRESS`.
///
/// The connection is always read. If records are not taken as fast as the filter selects messages, they are lost, and a gap says how many.
public struct DBusRecords: RecordSource, OptionedSource {
    public static let spellings = [
        SourceSpelling(
            "dbus",
            operand: "system|session|ADDRESS",
            example: "dbus:system",
            summary: "messages on a bus of D-Bus: dbus:system, dbus:session, or its address",
            operands: .words(["system", "session", "unix:path="]),
            objection: { objection }
        )
    ]

    package static var options: [SourceOption] {
        [
            .value(
                "--match",
                of: "rule",
                help:
                    "On dbus: hear what this match rule of D-Bus matches; of several rules, what any of them does. Without one, every signal.",
                advice: "--match chooses what is heard on a bus of D-Bus. Give --from dbus:system, too.",
                read: { (text) throws(SourceArgumentError) in
                    do throws(DBusRuleError) {
                        return (try DBusMatch(rule: text), text)
                    } catch {
                        throw SourceArgumentError("at byte \(error.offset + 1), \(error.reason)")
                    }
                },
                set: { (source: inout Self, rule: (match: DBusMatch, text: String)) in
                    source.matches.append(rule.match)
                    source.rules.append(rule.text)
                }
            ),
            .flag(
                "--monitor",
                help: """
                    On dbus: hear the messages of others, too: calls, answers, errors and signals to one receiver. The bus of the system \
                    lets only root do so.
                    """,
                advice: "--monitor chooses what is heard on a bus of D-Bus. Give --from dbus:system, too."
            ) { (source: inout Self) in source.isMonitoring = true },
        ]
    }

    public let word = "dbus"
    /// The bus to listen on. With ``SourceRequest/reconnects`` it need not run yet.
    public var address: DBusAddress
    /// A message is heard if any of them matches; with none, everything is heard.
    public var matches: [DBusMatch] = []
    /// Whether the messages of others are heard, too.
    public var isMonitoring = false
    /// The matches as they were typed.
    private var rules: [String] = []

    public init(word: String, operand: String) throws(SourceArgumentError) {
        switch operand {
        case "system": address = .system
        case "session": address = .session
        default:
            guard operand.split(separator: ";").allSatisfy(Self.isAddress) else {
                throw SourceArgumentError(
                    "write system, session, or the address of a bus, as in dbus:unix:path=/run/user/1000/bus"
                )
            }
            address = .address(operand)
        }
    }

    /// - Parameters:
    ///   - address: which bus.
    ///   - matches: a message is heard if any of them matches; with none, everything is heard.
    ///   - isMonitoring: whether the messages of others are heard, too.
    public init(_ address: DBusAddress, matching matches: [DBusMatch] = [], isMonitoring: Bool = false) {
        self.address = address
        self.matches = matches
        self.isMonitoring = isMonitoring
    }

    public var fields: RecordKind { .dbusMessages }
    public var traits: SourceTraits { [.live, .awaitable] }

    public func check() throws(SourceArgumentError) {
        guard !isMonitoring, let index = matches.firstIndex(where: { $0.kind ?? .signal != .signal }) else { return }
        let rule = index < rules.count ? rules[index] : matches[index].rule
        throw SourceArgumentError("--match '\(rule)' asks for more than signals. Give --monitor, too.")
    }

    public func question(_ filter: RecordFilter, named name: String) -> String? {
        let everything = isMonitoring ? "every message" : "every signal"
        let rules = DBusRules(source: name).narrow(self, by: filter).matches
            .map { $0.rule.isEmpty ? everything : $0.rule }
        return rules.isEmpty ? everything : rules.joined(separator: " or ")
    }

    /// The filter is evaluated where messages are read: its cost is bounded, and unwanted messages need not change
    /// threads.
    public func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let narrowed = narrowed(request)
        let sieve = DBusSieve(request)
        let selected = Signals.deferred { DBusSession(narrowed, sieve).heard() }
            .reconnecting(
                request,
                hasBegun: { heard in if case .began = heard { true } else { false } },
                isTemporary: { $0.isTemporary }
            )
            .transduced(by: DBusItems(of: request.name, through: sieve))
            .deliver(on: request.scheduler, limit: Self.limit, overflow: .dropNewest)
        return MessageLosses(upstream: selected, name: request.name)
            .mapError { request.failure($0.description) }
            .eraseToAnySignal()
    }

    /// How many messages that the filter selects may wait.
    private static let limit = 4096

    /// The filter's statistics count all messages, so all have to be heard for them.
    private func narrowed(_ request: SourceRequest) -> DBusRecords {
        guard request.tally == nil, let filter = request.filter else { return self }
        return DBusRules(source: request.name).narrow(self, by: filter)
    }

    /// `transport:key=value,…`. The connecting library defines the transports.
    private static func isAddress(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        return parts[1].split(separator: ",").allSatisfy { $0.contains("=") }
    }

    /// Only of the system's bus, and only where it always is.
    private static var objection: String? {
        let path = "/run/dbus/system_bus_socket"
        guard getenv("DBUS_SYSTEM_BUS_ADDRESS") == nil, access(path, F_OK) != 0 else { return nil }
        return "not here: no bus of the system listens at \(path)"
    }
}

extension DBusError {
    /// Whether another attempt may succeed once the bus runs again.
    fileprivate var isTemporary: Bool {
        switch reason {
        case .unreachable(let errno):
            [
                .noSuchFileOrDirectory, .connectionRefused, .resourceTemporarilyUnavailable, .connectionReset,
                .brokenPipe,
            ].contains(errno)
        case .disconnected: true
        default: false
        }
    }
}
