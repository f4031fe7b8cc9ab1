import Filter
import Glibc
public import Records

/// Entries of a journal, chosen as journalctl's options choose them. All parts that are set must hold.
///
/// ```swift
/// import Bus
/// import JournalBridge
/// import Records
/// import RecordSources
///
/// var choice = EntryChoice()
/// choice.units = ["nginx", "web-*"]
/// choice.priorities = .emergency ... .warning
/// choice.since = RecordTime(written: "yesterday")
/// choice.boot = .current
///
/// let entries = try Signals.records(from: "journal", matching: choice.expression(in: .system), follow: false)
/// ```
///
/// An expression in the filter language comes out, which can be shown, and joined with others by `&&`.
public struct EntryChoice: Sendable, Equatable {
    /// Entries about any of these units, or about those that a shell pattern matches: `nginx`, `web-*`.
    public var units: [String] = []
    /// The same for units of the service manager of the user who asks.
    public var userUnits: [String] = []
    /// From the most severe to the least one that is wanted.
    public var priorities: ClosedRange<Severity>?
    /// Any of these.
    public var identifiers: [String] = []
    /// None of these.
    public var excludedIdentifiers: [String] = []
    /// Any of these, by their numbers: 0 for the kernel, 3 for daemons, 10 for what is private; see RFC 5424, section 6.2.1.
    public var facilities: [Int] = []
    /// Only the kernel's messages.
    public var isOfKernel = false
    /// A regular expression that finds something in the message. Without a capital letter it ignores case.
    public var pattern: String?
    /// Whether the pattern tells capitals from small letters, whatever it looks like.
    public var isCaseSensitive: Bool?
    /// The time of receipt.
    public var since: RecordTime?
    /// The latest time of receipt; an entry of exactly that time is chosen, too.
    public var until: RecordTime?
    /// The boot that entries are from. `nil` and the choice of all boots are the same.
    public var boot: PeriodChoice?
    /// Fields and their values, programs and devices.
    public var matches: JournalMatches?
    /// From a start of a unit to the next one. Counted ones need exactly one unit, without a pattern.
    public var invocation: PeriodChoice?

    /// All entries.
    public init() {}

    /// The condition in the filter language; `nil` where all entries are chosen.
    ///
    /// - Parameter journal: where boots and invocations are looked up. It is read for that, which may take a moment.
    /// - Throws: ``EntryChoiceError`` when there is no such boot or invocation, when invocations are counted and not exactly
    ///   one unit is named, and when the journal cannot be read.
    public func expression(in journal: JournalSource = .system) throws(EntryChoiceError) -> String? {
        let pieces = pieces(try resolve(in: journal))
        return pieces.isEmpty ? nil : FilterText.all(pieces)
    }

    /// The ids that a choice stands for in the journal that is read.
    package struct IDs: Equatable {
        var boot: String?
        var invocation: String?

        package init(boot: String? = nil, invocation: String? = nil) {
            self.boot = boot
            self.invocation = invocation
        }
    }

    /// Looks up the boots and invocations.
    ///
    /// - Parameter journal: the journal that is read; `nil` if none is.
    package func resolve(in journal: JournalSource?) throws(EntryChoiceError) -> IDs {
        let boot = if let journal, let boot { try boot.bootID(in: journal) } else { String?.none }
        guard let invocation else { return IDs(boot: boot) }
        guard invocation.isCounted else { return IDs(boot: boot, invocation: invocation.id) }
        guard let unit = invokedUnit else { throw .ambiguousUnit }
        return IDs(boot: boot, invocation: try invocation.invocationID(of: unit, in: journal, boot: boot))
    }

    /// The one unit whose invocations can be counted.
    package var invokedUnit: InvokedUnit? {
        guard units.count + userUnits.count == 1, let name = (units + userUnits).first, !UnitNames.isPattern(name)
        else {
            return nil
        }
        return units.isEmpty ? .user(UnitNames.name(name), getuid()) : .system(UnitNames.name(name))
    }

    /// The parts of the filter, all of which must be true.
    package func pieces(_ ids: IDs) -> [String] {
        var pieces: [String] = []
        let ofUnits = [
            units.isEmpty ? nil : UnitNames.system(units), userUnits.isEmpty ? nil : UnitNames.user(userUnits),
        ].compactMap { $0 }
        if !ofUnits.isEmpty { pieces.append(ofUnits.joined(separator: " || ")) }
        if let expression = Self.expression(of: priorities) { pieces.append(expression) }
        if !identifiers.isEmpty { pieces.append("identifier in \(FilterText.list(identifiers))") }
        if !excludedIdentifiers.isEmpty {
            pieces.append("!has(SYSLOG_IDENTIFIER) || !(identifier in \(FilterText.list(excludedIdentifiers)))")
        }
        if !facilities.isEmpty {
            pieces.append("SYSLOG_FACILITY in [\(facilities.map(String.init).joined(separator: ", "))]")
        }
        if isOfKernel { pieces.append("_TRANSPORT == \"kernel\"") }
        if let search { pieces.append(search) }
        if let matches { pieces.append(matches.expression) }
        if let since { pieces.append("__REALTIME_TIMESTAMP >= \(since.microseconds)") }
        if let until { pieces.append("__REALTIME_TIMESTAMP <= \(until.microseconds)") }
        if let boot = ids.boot { pieces.append("boot == \(FilterText.quoted(boot))") }
        if let invocation = ids.invocation { pieces.append(Self.condition(ofInvocation: invocation)) }
        return pieces
    }

    /// The condition of the pattern.
    package var search: String? {
        pattern.map { "message =~ \(FilterText.quoted(SmartCase.pattern($0, isSensitive: isCaseSensitive)))" }
    }

    /// `nil` where all severities match, also entries without one.
    private static func expression(of priorities: ClosedRange<Severity>?) -> String? {
        guard let priorities, priorities != .emergency ... .debug else { return nil }
        let (first, last) = (priorities.lowerBound.rawValue, priorities.upperBound.rawValue)
        return first == 0 ? "priority <= \(last)" : "priority >= \(first) && priority <= \(last)"
    }

    /// The condition for entries of an invocation, or about it.
    private static func condition(ofInvocation id: String) -> String {
        [
            "_SYSTEMD_INVOCATION_ID", "INVOCATION_ID", "USER_INVOCATION_ID", "OBJECT_SYSTEMD_INVOCATION_ID",
        ].map { "\($0) == \(FilterText.quoted(id))" }.joined(separator: " || ")
    }
}

/// Why a choice of entries cannot be made into a condition.
public enum EntryChoiceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The journal has no such boot or invocation. For a person.
    case notFound(String)
    /// Invocations are counted of one unit, and none or several are named, or a pattern.
    case ambiguousUnit
    /// A text that does not say what it is to say, with the correction. For a person.
    case mistake(String)
    /// The journal could not be read to look up a boot or an invocation.
    case journal(JournalError)

    public var description: String {
        switch self {
        case .notFound(let text), .mistake(let text): text
        case .ambiguousUnit: "invocations are counted of one unit, which is named without a pattern"
        case .journal(let error): error.description
        }
    }
}
