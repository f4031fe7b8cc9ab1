import Filter
import FilterBridge
import Records
import RecordSources

/// The sources that are read as records: several, or one that is no journal, or a format that journalctl does not
/// have.
struct RecordPlan: Sendable {
    let sources: [NamedSource]
    /// The corrections to the times of sources, by their names.
    let skews: [String: Duration]
    let filter: RecordFilter?
    let tally: FilterTally?
    let window: Duration
    let style: RecordStyle
    let aids: ReadingAids
    /// The old records that are wanted.
    let start: SourceRequest.Start
    let follow: Bool
    let since: RecordTime?
    let until: RecordTime?
    let timing: RecordTiming
    let events: EventPlan?
    let statistics: RunStatistics?
    /// Whether the newest record comes first.
    let isReversed: Bool
    /// Whether a program or a bus that is read is waited for when it has ended.
    let reconnects: Bool
    private(set) var context: RecordContext?

    /// Whether of a command only the lines that it writes are shown, as its own output would be, unless the filter asks for
    /// more.
    var showsLinesAlone: Bool { isShown && style.format == .message && filter?.reads("stream") != true }

    /// Whether records are shown, and not counted.
    private let isShown: Bool
    /// Whether warnings about filters are left out.
    private let isQuiet: Bool

    init(
        _ options: SourceOptions,
        _ filter: String?,
        _ tally: FilterTally?,
        since: RecordTime?,
        until: RecordTime? = nil,
        lines: EntryCount?,
        follow: Bool,
        timing: RecordTiming,
        events: OperatorOptions? = nil,
        statistics: RunStatistics? = nil,
        style: RecordStyle,
        aids: ReadingAids = ReadingAids(),
        isReversed: Bool = false,
        isQuiet: Bool = false,
        fields: [(option: String, paths: [FieldPath])] = []
    ) throws {
        let sources = try options.named()
        self.sources = sources
        // Of several for one source the last one counts.
        skews = options.skews.reduce(into: [:]) { $0[$1.source] = $1.duration }
        if let field = timing.field { try NamedFields.require([field], of: "--by", in: sources) }
        for (option, paths) in fields { try NamedFields.require(paths, of: option, in: sources) }
        self.filter = try filter.map { text throws(ExitStatus) in try FilterArgument.compile(text, over: sources) }
        self.isQuiet = isQuiet
        self.tally = tally
        window = options.orderWindow ?? .milliseconds(100)
        start =
            switch lines {
            case .all: .all
            case .last(let count): .last(count)
            // Old records do not answer a question.
            case nil: .recent(events?.isQuestion == true ? 0 : EntryCount.history)
            }
        self.follow = follow
        self.since = since
        self.until = until
        self.timing = timing
        isShown = events != nil
        self.events = try events.flatMap { try EventPlan($0, over: sources) }
        if !isQuiet {
            for filter in ([self.filter].compactMap { $0 }) + (self.events?.filters ?? []) {
                FilterWarnings.report(filter, reading: sources)
            }
        }
        self.statistics = statistics
        self.style = style
        self.aids = aids
        self.isReversed = isReversed
        reconnects = options.reconnect
    }

    /// - Parameter matches: the condition for records with context.
    mutating func setContext(_ choice: ContextChoice, _ matches: String, _ tally: FilterTally?) throws(ExitStatus) {
        let filter = try FilterArgument.compile(matches, over: sources)
        if !isQuiet { FilterWarnings.report(filter, reading: sources) }
        // Before and after refer to time.
        context = RecordContext(
            matches: filter,
            before: isReversed ? choice.after : choice.before,
            after: isReversed ? choice.before : choice.after,
            tally: tally
        )
    }

    /// OS signals that are listened to.
    var signalNumbers: [CInt] { sources.flatMap { ($0.source as? OSSignalRecords)?.numbers ?? [] } }
}
