/// Writes entries out, one after the other, until there are enough to hand on.
struct TextProjection: JournalProjection {
    private(set) var count = 0
    private let makeFormatter: @Sendable () -> JournalFormatter
    private var formatter: JournalFormatter
    // Used again; a class because a projection is copied and the buffer cannot be.
    private let text = TextBuffer()
    /// Used where entries are written on several threads.
    private var batches: BatchedText?

    private let tellsPlaces: Bool

    /// - Parameter tellsPlaces: whether the text reports the place to which the journal was read. Then all of it is
    ///   written on the reader's thread.
    init(_ style: JournalStyle, tellsPlaces: Bool = false) {
        self.tellsPlaces = tellsPlaces
        makeFormatter = { JournalFormatter(style) }
        formatter = makeFormatter()
    }

    mutating func entry(in reader: JournalReader) -> JournalText? {
        if reader.threads.count > 1, formatter.canBeShared, !tellsPlaces {
            guard let entry = reader.fileEntry else { return nil }
            count += 1
            let batches = batches ?? BatchedText(reader, makeFormatter)
            self.batches = batches
            return batches.add(entry)
        }
        if reader.format(with: &formatter, into: &text.buffer) { count += 1 }
        return text.hasEnough ? gathered() : nil
    }

    mutating func entry(in reader: borrowing ExportReader) -> JournalText? {
        reader.format(with: &formatter, into: &text.buffer)
        count += 1
        return text.hasEnough ? gathered() : nil
    }

    mutating func entry(_ entry: JournalEntry) -> JournalText? {
        formatter.format(entry, into: &text.buffer)
        count += 1
        return text.hasEnough ? gathered() : nil
    }

    func gathered() -> JournalText? { batches?.gathered() ?? text.take() }
    func gap(_ gap: JournalGap) -> JournalText { .gap(gap) }
    func skipped(_ fields: SkippedFields) -> JournalText { .skipped(fields) }
    var caughtUp: JournalText { .caughtUp }
    func place(_ cursor: @autoclosure () -> String) -> JournalText? { tellsPlaces ? .place(cursor()) : nil }
}
