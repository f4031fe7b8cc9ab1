/// A time zone: how far its clocks are from UTC, and when that changes.
///
/// It never changes after it was read; after the last transition of its file, the rule in the file applies. Any
/// thread may use it. The C library's time functions, in contrast, know only one zone, the process's. Times are POSIX
/// time: they count no leap seconds, and neither do the transitions here.
package final class TimeZone: Sendable {
    /// The local time of a zone during some period.
    package struct LocalTimeType: Sendable, Hashable {
        /// Seconds to add to UTC.
        package let offset: Int64
        package let isDaylightSaving: Bool
        package let abbreviation: String
    }

    /// Seconds since 1970, ascending.
    private let transitions: [Int64]
    /// For each transition, the index of the type that begins there.
    private let kinds: [UInt8]
    /// The first is the type before the first transition.
    private let types: [LocalTimeType]
    /// The rule after the last transition; nil when nothing changes after it.
    private let rule: ZoneRule?

    /// `kinds` has an index of `types` for each transition, and there is at least one type.
    init(transitions: [Int64], kinds: [UInt8], types: [LocalTimeType], rule: ZoneRule?) {
        self.transitions = transitions
        self.kinds = kinds
        self.types = types
        self.rule = rule
    }

    /// The zone that follows a rule at all times.
    package init(_ rule: ZoneRule) {
        transitions = []
        kinds = []
        types = [rule.standard]
        self.rule = rule
    }

    package static let utc = TimeZone(
        transitions: [],
        kinds: [],
        types: [LocalTimeType(offset: 0, isDaylightSaving: false, abbreviation: "UTC")],
        rule: nil
    )

    /// In seconds east of UTC.
    /// - Parameter time: in seconds since 1970, as all times here.
    package func offset(at time: Int64) -> Int64 {
        guard let index = typeIndex(at: time) else { return rule?.offset(at: time) ?? types[0].offset }
        return types[index].offset
    }

    /// The type at a time.
    package func type(at time: Int64) -> LocalTimeType {
        guard let index = typeIndex(at: time) else { return rule?.type(at: time) ?? types[0] }
        return types[index]
    }

    /// Nil where the rule applies.
    private func typeIndex(at time: Int64) -> Int? {
        guard let last = transitions.last, time < last else {
            return rule == nil ? Int(kinds.last ?? 0) : nil
        }
        let passed = passedTransitions(at: time)
        return passed == 0 ? 0 : Int(kinds[passed - 1])
    }

    /// How many transitions are not after a time.
    private func passedTransitions(at time: Int64) -> Int {
        if let last = transitions.last, last <= time { return transitions.count }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// A span of time in which the clocks of a zone do not change.
    package struct Period: Sendable, Hashable {
        /// Its first second; the least number if no change came before it.
        package let start: Int64
        /// The first second after it; the greatest number if no change follows.
        package let end: Int64
        package let offset: Int64
        package let isDaylightSaving: Bool
    }

    /// The period that includes a time. Two periods in succession may have the same offset.
    package func period(at time: Int64) -> Period {
        let passed = passedTransitions(at: time)
        let start = passed == 0 ? .min : transitions[passed - 1]
        if passed == transitions.count, let rule { return rule.period(at: time, notBefore: start) }
        let type = types[passed == 0 ? 0 : Int(kinds[passed - 1])]
        let end = passed == transitions.count ? .max : transitions[passed]
        return Period(start: start, end: end, offset: type.offset, isDaylightSaving: type.isDaylightSaving)
    }

    /// The present names of standard and daylight-saving time, like the C library's `tzname`: the latest of each
    /// kind.
    package var abbreviations: (standard: String?, daylightSaving: String?) {
        if let rule { return (rule.standard.abbreviation, rule.daylightSaving?.type.abbreviation ?? latest(true)) }
        return (latest(false), latest(true))
    }

    private func latest(_ isDaylightSaving: Bool) -> String? {
        let found = kinds.last { types[Int($0)].isDaylightSaving == isDaylightSaving }
        return types[Int(found ?? 0)].isDaylightSaving == isDaylightSaving ? types[Int(found ?? 0)].abbreviation : nil
    }
}

extension TimeZone: Hashable {
    package static func == (a: TimeZone, b: TimeZone) -> Bool {
        a === b || a.transitions == b.transitions && a.kinds == b.kinds && a.types == b.types && a.rule == b.rule
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(transitions)
        hasher.combine(rule)
    }
}
