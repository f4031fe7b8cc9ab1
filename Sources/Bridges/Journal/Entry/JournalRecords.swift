public import Bus
public import Records

extension Signal where Value == JournalItem {
    /// A journal's entries as records. Missing entries are a record, too: a gap.
    ///
    /// The record's time is ``JournalEntry/time``, and its number is the entry's number in this signal.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "journal") -> some Signal<Record, Failure> {
        recordItems(from: name).compactMap { item in
            if case .record(let record) = item { record } else { nil }
        }
    }

    /// The same for `Signals.merge(inOrder:)`, which has to know when all old records have been sent.
    public consuming func recordItems(from name: String = "journal") -> some Signal<RecordItem, Failure> {
        transduced(by: JournalRecords(name: name))
    }
}

extension Signal where Value == RecordItem {
    /// The same, and behind each record of a journal its cursor as a place.
    package consuming func tellingCursors() -> some Signal<RecordItem, Failure> { transduced(by: TellingCursors()) }
}

private struct TellingCursors<InputFailure: Error>: Transducer {
    typealias Input = RecordItem
    typealias Output = RecordItem
    typealias Failure = InputFailure

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: RecordItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == InputFailure {
        let demand = downstream.next(item)
        guard demand != .stop, case .record(let record) = item, let content = record.content as? JournalContent else {
            return demand
        }
        return downstream.next(.place(content.entry.cursor))
    }
}

private struct JournalRecords<InputFailure: Error>: Transducer {
    typealias Input = JournalItem
    typealias Output = RecordItem
    typealias Failure = InputFailure
    let source: String
    var number: UInt64 = 0
    /// The time of the last entry, for gaps after it.
    var time: RecordTime?

    init(name: String) {
        source = name
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ item: JournalItem,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordItem, Downstream.Failure == InputFailure {
        switch item {
        case .entry(let entry):
            number += 1
            let time = entry.time
            self.time = time
            let content = JournalContent(entry)
            let monotonic = entry.monotonic
            return downstream.next(
                .record(Record(source: source, time: time, monotonic: monotonic, sequence: number, content: content))
            )
        case .gap(let gap): return downstream.next(missing(gap.lost, gap.description))
        case .skipped(let fields): return downstream.next(missing(nil, fields.description))
        case .caughtUp: return downstream.next(.caughtUp)
        }
    }

    private func missing(_ lost: Int?, _ message: String) -> RecordItem {
        .record(.gap(lost: lost, source: source, time: time ?? .now, sequence: number, message: message))
    }

    var name: String { "records(named: \"\(source)\")" }
}
