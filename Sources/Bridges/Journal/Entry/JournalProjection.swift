/// Makes a subscription's values from the reader's current entry: the whole entry, or a line of text. Made anew for
/// each subscription, and used only on its reader's thread.
protocol JournalProjection<Value>: SendableMetatype {
    associatedtype Value: Sendable

    /// How many entries were taken.
    var count: Int { get }
    /// Takes the entry; returns the value to send now, if any. An entry that cannot be read now is left out, and
    /// comes again if it can be read later.
    mutating func entry(in reader: JournalReader) -> Value?
    /// Takes entries until there is a value to send, until the reader has something else to say than an entry, until this many
    /// were taken, or until `goesOn`, which is asked after each entry, answers false. A requirement, so that it is specialised for
    /// each projection.
    mutating func entries(
        in reader: JournalReader,
        upTo limit: Int,
        while goesOn: () -> Bool
    ) throws(JournalError) -> (step: JournalReader.Step, value: Value?)
    /// Takes the current entry of a stream's reader, or an entry that was kept.
    mutating func entry(in reader: borrowing ExportReader) -> Value?
    mutating func entry(_ entry: JournalEntry) -> Value?
    /// Returns entries that were taken and not sent, or `nil` if there are none left. The reader's thread calls it
    /// until then before it sends anything else, and whenever the reader has caught up.
    mutating func gathered() -> Value?
    func gap(_ gap: JournalGap) -> Value
    func skipped(_ fields: SkippedFields) -> Value
    var caughtUp: Value { get }
    /// The value that reports the place to which the journal was read; `nil` where nobody asked for it.
    func place(_ cursor: @autoclosure () -> String) -> Value?
}

extension JournalProjection {
    @inline(__always)
    mutating func entries(
        in reader: JournalReader,
        upTo limit: Int,
        while goesOn: () -> Bool
    ) throws(JournalError) -> (step: JournalReader.Step, value: Value?) {
        try nextEntries(in: reader, upTo: limit, while: goesOn)
    }

    /// Goes through entries one after the other.
    @inline(__always)
    mutating func nextEntries(
        in reader: JournalReader,
        upTo limit: Int,
        while goesOn: () -> Bool
    ) throws(JournalError) -> (step: JournalReader.Step, value: Value?) {
        while true {
            let step = try reader.advance()
            guard step == .entry else { return (step, nil) }
            if let value = entry(in: reader) { return (.entry, value) }
            guard goesOn(), count < limit else { return (.entry, nil) }
        }
    }
}

struct ItemProjection: JournalProjection {
    private(set) var count = 0

    mutating func entry(in reader: JournalReader) -> JournalItem? {
        guard let entry = reader.entry() else { return nil }
        return self.entry(entry)
    }

    mutating func entry(in reader: borrowing ExportReader) -> JournalItem? { entry(reader.entry()) }

    mutating func entry(_ entry: JournalEntry) -> JournalItem? {
        count += 1
        return .entry(entry)
    }

    func gathered() -> JournalItem? { nil }
    func gap(_ gap: JournalGap) -> JournalItem { .gap(gap) }
    func skipped(_ fields: SkippedFields) -> JournalItem { .skipped(fields) }
    var caughtUp: JournalItem { .caughtUp }
    func place(_ cursor: @autoclosure () -> String) -> JournalItem? { nil }
}
