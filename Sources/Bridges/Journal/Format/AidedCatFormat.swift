import Records

/// The output of ``CatFormat``, with marks and with lines where time has passed. Characters that control a terminal
/// are made visible here.
struct AidedCatFormat {
    private static let message = Array("MESSAGE".utf8)

    private let aids: ReadingAids
    private let names: [[UInt8]]
    private let isForTerminal: Bool
    private var timeGaps: TimeGapLine?

    /// `nil` where nothing helps to read it.
    init?(_ style: JournalStyle) {
        guard style.aids.areUsed else { return nil }
        aids = style.aids
        names = style.fields?.map { Array($0.utf8) } ?? [Self.message]
        isForTerminal = style.isForTerminal
        timeGaps = TimeGapLine(aids.timeGap)
    }

    mutating func format(_ entry: EntryView, into output: inout OutputBuffer) {
        var isFirst = true
        for name in names {
            guard let value = name.withUnsafeBytes({ entry.value(named: $0) }) else { continue }
            if isFirst { separate(entry, into: &output) }
            isFirst = false
            aids.append(value, isMessage: name == Self.message, isForTerminal: isForTerminal, to: &output)
            output.append("\n")
        }
    }

    private mutating func separate(_ entry: EntryView, into output: inout OutputBuffer) {
        let source = entry.value(named: "_SOURCE_REALTIME_TIMESTAMP")
        let time = EntryTime.of(source: source, received: entry.header.realtime)
        timeGaps?.separate(Int64(clamping: time), into: &output)
    }
}
