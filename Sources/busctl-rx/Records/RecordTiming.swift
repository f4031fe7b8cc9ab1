import Bus
import RecordSources
import Records
import Timers

/// The library's operators on the records of a run.
struct RecordTiming: Sendable {
    var length: Duration?
    var delay: Duration?
    var throttle: Duration?
    var debounce: Duration?
    var sample: Duration?
    var rate: RateArgument?
    var isDistinct = false
    /// The records of each value of this field are treated by themselves.
    var field: FieldPath?

    /// The largest number of groups at once; records of further values are left out and counted.
    private static let groups = 4096

    typealias Records = AnySignal<Record, SourceFailure>

    /// Whether any operator is applied.
    var isUsed: Bool { leavesOut || length != nil || delay != nil }

    /// Whether some records may be left out.
    var leavesOut: Bool {
        throttle != nil || debounce != nil || sample != nil || rate != nil || isDistinct
            || field != nil && length != nil
    }

    /// The value by which records are grouped; `nil` where all are one group. A record without the field has "".
    func value(of record: Record) -> String? { field.map { record.text(of: $0) ?? "" } }

    func applied(to records: Records) -> Records {
        var records = records
        if leavesOut { records = chosen(records) }
        if let delay { records = records.delay(delay).eraseToAnySignal() }
        if let length, field == nil { records = records.take(for: length).eraseToAnySignal() }
        return records
    }

    private func chosen(_ records: Records) -> Records {
        guard field != nil else { return each(records) }
        return records.groupBy(limit: Self.groups) { value(of: $0) }
            .flatMap { [self] group in each(group.eraseToAnySignal()) }
            .eraseToAnySignal()
    }

    private func each(_ records: Records) -> Records {
        var records = records
        if let length, field != nil {
            // The second keeps the group when its time is over: otherwise a new one would begin with the next record.
            records = Signals.merge(records.take(for: length), records.ignoreValues(as: Record.self)).eraseToAnySignal()
        }
        if isDistinct { records = records.removeDuplicates { $0.saysTheSame(as: $1) }.eraseToAnySignal() }
        if let throttle { records = records.throttle(throttle, atCompletion: .flush).eraseToAnySignal() }
        if let debounce { records = records.debounce(debounce).eraseToAnySignal() }
        if let sample { records = records.sample(every: sample).eraseToAnySignal() }
        if let rate {
            records = records.rateLimit(
                rate.count,
                per: rate.duration,
                limit: max(1, rate.count),
                overflow: .dropNewest
            )
            .eraseToAnySignal()
        }
        return records
    }
}
