/// A time zone: how far its clocks are from UTC, and when that changes.
///
/// It is read from the system's zone files (TZif) once and never changes after that; where a file ends, the rule in it is
/// followed on. It is a value that any thread may use, which the C library's time functions are not: those know only one
/// zone, the process's.
public struct ZoneInfo: Sendable, Hashable, CustomStringConvertible {
    /// What the clocks of a zone show during some time.
    struct LocalTimeType: Sendable, Hashable {
        /// Seconds to add to UTC.
        let offset: Int
        let isDaylightSaving: Bool
        let abbreviation: String
    }

    /// The zone's name, as `Europe/Berlin`; empty for the system's local one, whatever that is called.
    public let name: String

    /// When the clocks change, in seconds since 1970, in order.
    let transitions: [Int64]
    /// What they show from each transition on.
    let types: [LocalTimeType]
    /// What they show before the first.
    let initial: LocalTimeType
    /// What they show after the last; nil when that never changes again.
    let rule: ZoneRule?

    init(
        name: String,
        transitions: [Int64] = [],
        types: [LocalTimeType] = [],
        initial: LocalTimeType,
        rule: ZoneRule? = nil
    ) {
        self.name = name
        self.transitions = transitions
        self.types = types
        self.initial = initial
        self.rule = rule
    }

    public static let utc = ZoneInfo(
        name: "UTC",
        initial: LocalTimeType(offset: 0, isDaylightSaving: false, abbreviation: "UTC")
    )

    public var description: String { name.isEmpty ? "local time" : name }

    /// What the clocks show at a time, in seconds since 1970.
    func type(at time: Int64) -> LocalTimeType {
        guard let last = transitions.last, time < last else {
            return rule?.type(at: time) ?? types.last ?? initial
        }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : types[low - 1]
    }

    /// The names that standard and daylight-saving time have now, as the C library's `tzname`: of each kind the latest.
    var abbreviations: (standard: String?, daylightSaving: String?) {
        if let rule { return (rule.standard.abbreviation, rule.daylightSaving?.type.abbreviation ?? latest(true)) }
        return (latest(false), latest(true))
    }

    private func latest(_ isDaylightSaving: Bool) -> String? {
        let all = [initial] + types
        return all.last { $0.isDaylightSaving == isDaylightSaving }?.abbreviation
    }
}
