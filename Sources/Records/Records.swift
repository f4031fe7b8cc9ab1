public import Bus
import Timers

extension Signal {
    /// The values as records of one source, numbered from 1. Lost values are a record, too: a gap.
    ///
    /// ```
    /// self     --"a"--"b"--(2 lost)--"c"--|
    /// records  --#1---#2---gap-------#4---|
    /// ```
    ///
    /// ```swift
    /// import Bus
    /// import Records
    ///
    /// let commands = Subject(of: String.self)
    /// let records = commands.records(named: "console") { RecordFields(message: $0) }
    /// ```
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    /// - Pausing: passed on to the source. Values that are lost while the observer pauses are passed on as a loss.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - time: when it happened; `nil` for now.
    ///   - content: makes the content from a value.
    public consuming func records(
        named name: String,
        time: @escaping @Sendable (Value) -> RecordTime? = { _ in nil },
        _ content: @escaping @Sendable (Value) -> some RecordContent
    ) -> some Signal<Record, Failure> {
        RecordsSignal(upstream: self, name: name) { value, number, now in
            Record(source: name, time: time(value) ?? now, sequence: number, content: content(value))
        }
    }

    /// The same where a value may be something other than an event.
    package consuming func records(
        named name: String,
        _ make: @escaping @Sendable (Value, _ number: UInt64, _ now: RecordTime) -> Record
    ) -> some Signal<Record, Failure> {
        RecordsSignal(upstream: self, name: name, make: make)
    }
}

extension Record {
    /// A record that reports missing records in its place.
    ///
    /// - Parameters:
    ///   - lost: how many records, where that is known.
    ///   - source: the source's name.
    ///   - time: when it was noticed.
    ///   - sequence: the number of the last record before it, plus the number of those missing.
    ///   - message: why, for a person.
    public static func gap(
        lost: Int?,
        source: String,
        time: RecordTime,
        sequence: UInt64,
        message: String
    ) -> Record {
        Record(
            .gap(lost: lost),
            source: source,
            time: time,
            sequence: sequence,
            content: RecordFields(message: message, severity: .warning)
        )
    }
}

struct RecordsSignal<Upstream: Signal>: Signal {
    typealias Value = Record
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let name: String
    let make: @Sendable (Upstream.Value, UInt64, RecordTime) -> Record

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(RecordsObserver(downstream: observer, name: name, make: make))
    }

    static var chain: Chain { Upstream.chain.appending("records(named:)") }
    var chain: Chain { upstream.chain.appending("records(named: \"\(name)\")") }
}

struct RecordsObserver<Value: Sendable, Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == Record {
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let name: String
    let make: @Sendable (Value, UInt64, RecordTime) -> Record
    var number: UInt64 = 0

    mutating func next(_ value: Value) -> Demand {
        number += 1
        return downstream.next(make(value, number, .now))
    }

    mutating func lost(_ count: Int) {
        number += UInt64(count)
        guard downstream.demand == .more else { return downstream.lost(count) }
        let message =
            "\(count == 1 ? "1 record is" : "\(count) records are") missing here: they came faster than they were taken"
        _ = downstream.next(.gap(lost: count, source: name, time: .now, sequence: number, message: message))
    }

    consuming func terminate(_ termination: Termination<Failure>) { downstream.terminate(termination) }

    var demand: Demand { downstream.demand }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { downstream.whenReady(resume) }
}
