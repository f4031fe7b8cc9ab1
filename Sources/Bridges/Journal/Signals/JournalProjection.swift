/// What a subscription makes of the entry its reader stands on: the whole of it, or a line of text. Made anew for each
/// subscription, and used on its reader's thread alone.
protocol JournalProjection<Value>: SendableMetatype {
    associatedtype Value: Sendable

    /// nil when the entry can no longer be read.
    mutating func entry(in reader: JournalReader) -> Value?
    func gap(_ gap: JournalGap) -> Value
    var caughtUp: Value { get }
}

struct ItemProjection: JournalProjection {
    func entry(in reader: JournalReader) -> JournalItem? { reader.entry().map { .entry($0) } }
    func gap(_ gap: JournalGap) -> JournalItem { .gap(gap) }
    var caughtUp: JournalItem { .caughtUp }
}

struct TextProjection: JournalProjection {
    private var formatter: JournalFormatter
    // Used again for every entry; a class because a projection is copied and the buffer cannot be.
    private let text = TextBuffer()

    init(_ format: JournalFormat) {
        formatter = JournalFormatter(format)
    }

    mutating func entry(in reader: JournalReader) -> JournalText? {
        text.buffer.removeAll()
        guard reader.format(with: &formatter, into: &text.buffer) else { return nil }
        return .entry(text.buffer.withBytes { Array($0) })
    }

    func gap(_ gap: JournalGap) -> JournalText { .gap(gap) }
    var caughtUp: JournalText { .caughtUp }

    private final class TextBuffer {
        var buffer = OutputBuffer()
    }
}
