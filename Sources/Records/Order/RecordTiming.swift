public import Bus
public import Timers

/// Operators of time on records, chosen while the program runs, as the options of `busctl-rx tail` choose them: for all records together, or
/// for those of each value of a field by themselves.
///
/// ```swift
/// import Bus
/// import Records
/// import RecordSources
///
/// // At most one error of each unit in ten seconds.
/// var timing = try RecordTiming(by: "unit")
/// timing.throttle = .seconds(10)
/// let errors = try Signals.records(from: "journal", matching: "priority <= err").timed(timing)
/// let subscription = errors.subscribe(next: { print($0.message ?? "") }, failed: { print($0) })
/// ```
///
/// They are applied in this order: `length` of each group, `isDistinct`, `throttle`, `debounce`, `sample`, `rate`, `delay`, and `length` of all.
public struct RecordTiming: Sendable {
    /// Ends after so long: all, or each group.
    public var length: Duration?
    /// Each record comes so much later.
    public var delay: Duration?
    /// At most one record in so long: the first, and the last at its end.
    public var throttle: Duration?
    /// The last record, when none has come for so long.
    public var debounce: Duration?
    /// The last record, each so often.
    public var sample: Duration?
    /// At most so many records in so long. As many more wait, and the rest is left out. With a field none wait.
    public var rate: (count: Int, duration: Duration)?
    /// Whether a record is left out that has the source, severity and message of the one before it; or, where there is no message,
    /// all its fields.
    public var isDistinct = false
    /// The records of each value of this field are treated by themselves.
    package let field: FieldPath?

    /// The largest number of groups at once.
    fileprivate static let groups = 4096

    package init(field: FieldPath?) {
        self.field = field
    }

    /// - Parameter field: by whose values records are grouped, as the filter names it; `nil` for one group. A record without the field is in
    ///   the group of the empty text.
    /// - Throws: ``FieldPathError``, which describes the mistake in the field's name.
    public init(by field: String? = nil) throws(FieldPathError) {
        self.init(field: try field.map { text throws(FieldPathError) in try FieldPath(text) })
    }

    /// Whether any operator is applied.
    package var isUsed: Bool { leavesOut || length != nil || delay != nil }

    /// Whether some records may be left out.
    package var leavesOut: Bool {
        throttle != nil || debounce != nil || sample != nil || rate != nil || isDistinct
            || field != nil && length != nil
    }

    /// The value by which records are grouped; `nil` where all are one group.
    package func value(of record: Record) -> String? { field.map { record.text(of: $0) ?? "" } }

    fileprivate func each<Failure: Error>(
        _ records: AnySignal<Record, Failure>,
        on scheduler: some TimedScheduler
    ) -> AnySignal<Record, Failure> {
        var records = records
        if let length, field != nil {
            // The second keeps the group when its time is over: otherwise a new one would begin with the next record.
            records = Signals.merge(records.take(for: length, on: scheduler), records.ignoreValues(as: Record.self))
                .eraseToAnySignal()
        }
        if isDistinct { records = records.removeDuplicates { $0.saysTheSame(as: $1) }.eraseToAnySignal() }
        if let throttle { records = records.throttle(throttle, atCompletion: .flush, on: scheduler).eraseToAnySignal() }
        if let debounce { records = records.debounce(debounce, on: scheduler).eraseToAnySignal() }
        if let sample { records = records.sample(every: sample, on: scheduler).eraseToAnySignal() }
        if let rate {
            records = records.rateLimit(
                rate.count,
                per: rate.duration,
                // A record that waits would outlive its group when that makes room for another.
                limit: field == nil ? max(1, rate.count) : 0,
                overflow: .dropNewest,
                on: scheduler
            )
            .eraseToAnySignal()
        }
        return records
    }
}

extension Signal where Value == Record {
    /// The records as a timing passes them on. Gaps are records like others here, and may be left out.
    ///
    /// - Ends: with the source, or when the timing's length is over.
    /// - Buffers: what the operators do; at most 4,096 groups. For one more, the group that was silent longest ends, and shows what it holds
    ///   back. With the next record of its value another group begins.
    /// - Thread: the source's, and that of the timers for records that come later.
    ///
    /// - Parameters:
    ///   - timing: the operators.
    ///   - scheduler: measures the time, and delivers what comes later.
    public consuming func timed(
        _ timing: RecordTiming,
        on scheduler: some TimedScheduler = TimerScheduler.shared
    ) -> AnySignal<Record, Failure> {
        var records = eraseToAnySignal()
        if timing.leavesOut, timing.field == nil {
            records = timing.each(records, on: scheduler)
        } else if timing.leavesOut {
            records = records.groupBy(limit: RecordTiming.groups, overflow: .completeOldest) { timing.value(of: $0) }
                .flatMap { timing.each($0.eraseToAnySignal(), on: scheduler) }
                .eraseToAnySignal()
        }
        if let delay = timing.delay { records = records.delay(delay, on: scheduler).eraseToAnySignal() }
        if let length = timing.length, timing.field == nil {
            records = records.take(for: length, on: scheduler).eraseToAnySignal()
        }
        return records
    }
}
