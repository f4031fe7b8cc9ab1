import Filter
import FilterBridge
import JournalBridge
import Records

/// The sources that are read as records: several, or one that is no journal, or a format that journalctl does not
/// have.
struct RecordPlan: Sendable {
    struct Source: Sendable {
        /// The source's name.
        let name: String
        let kind: SourceKind
        let source: SourceArgument.Source
        /// Microseconds to be added to its times.
        let skew: Int64
    }

    let sources: [Source]
    let filter: RecordFilter?
    let tally: FilterTally?
    let window: Duration
    let style: RecordStyle
    let aids: ReadingAids
    /// How many of the newest records that match a source begins with, or all.
    let lines: EntryCount?
    /// How many of them when following by default.
    let history: Int
    let follow: Bool
    let since: Int64?
    let until: Int64?
    let timing: RecordTiming
    let events: EventPlan?
    let statistics: RunStatistics?
    /// How it is read where the newest record comes first.
    let reverseOrder: ReverseOrder?
    /// Whether a program or a bus that is read is waited for when it has ended.
    let reconnects: Bool
    /// The messages to hear on buses of D-Bus.
    let dbus: DBusChoice
    /// The file with options for curl.
    let curlConfiguration: String?
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
        since: TimeArgument?,
        until: TimeArgument? = nil,
        lines: EntryCount?,
        follow: Bool,
        timing: RecordTiming,
        events: OperatorOptions? = nil,
        statistics: RunStatistics? = nil,
        style: RecordStyle,
        aids: ReadingAids = ReadingAids(),
        reverseOrder: ReverseOrder? = nil,
        isQuiet: Bool = false,
        fields: [(option: String, paths: [FieldPath])] = []
    ) throws {
        let sources = try Self.named(options.sources, skews: options.skews)
        self.sources = sources
        if let field = timing.field { try NamedFields.require([field], of: "--by", in: sources) }
        for (option, paths) in fields { try NamedFields.require(paths, of: option, in: sources) }
        self.filter = try filter.map { text throws(ExitStatus) in try FilterArgument.compile(text, over: sources) }
        self.isQuiet = isQuiet
        self.tally = tally
        window = options.orderWindow?.duration ?? .milliseconds(100)
        self.lines = lines
        self.follow = follow
        self.since = since?.microseconds
        self.until = until?.microseconds
        self.timing = timing
        history = events?.isQuestion == true ? 0 : EntryCount.history
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
        self.reverseOrder = reverseOrder
        reconnects = options.reconnect
        dbus = options.dbus
        curlConfiguration = options.curlConfig
    }

    /// - Parameter matches: the condition for records with context.
    mutating func setContext(_ choice: ContextChoice, _ matches: String, _ tally: FilterTally?) throws(ExitStatus) {
        let filter = try FilterArgument.compile(matches, over: sources)
        if !isQuiet { FilterWarnings.report(filter, reading: sources) }
        // Before and after refer to time.
        context = RecordContext(
            matches: filter,
            before: reverseOrder == nil ? choice.before : choice.after,
            after: reverseOrder == nil ? choice.after : choice.before,
            tally: tally
        )
    }

    /// OS signals that are listened to.
    var signalNumbers: [CInt] {
        sources.flatMap { source -> [CInt] in if case .signals(let numbers) = source.source { numbers } else { [] } }
    }

    /// The fields that an expression can use.
    static func kinds(of sources: [Source]) -> [(name: String, kind: RecordKind)] {
        sources.map { source in
            let kind: RecordKind =
                switch source.source {
                case .journal, .export, .remote: .journal
                case .json, .logfmt, .nats: .any
                case .lines: .lines
                case .signals: .osSignals
                case .every, .calendar: .ticks
                case .run: .child
                case .changes: .changes
                case .tap: .busEvents
                case .dbus: .dbusMessages
                }
            return (source.name, kind)
        }
    }

    /// The sources by distinct names: labels as they were given, others by their kind and, from the second on, a number.
    static func named(_ arguments: [SourceArgument], skews: [SkewArgument]) throws -> [Source] {
        var taken: Set<String> = []
        var sources: [Source] = []
        for argument in arguments {
            if let label = argument.label, !taken.insert(label).inserted {
                throw ValidationError("Two sources are called '\(label)'. Give each a name of its own.")
            }
        }
        for argument in arguments {
            let name = argument.label ?? unused(argument.name, &taken)
            let skew = skews.last { $0.source == name }?.microseconds ?? 0
            sources.append(Source(name: name, kind: argument.kind, source: argument.source, skew: skew))
        }
        if let stray = skews.first(where: { skew in !sources.contains { $0.name == skew.source } }) {
            let names = sources.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ValidationError("--skew names '\(stray.source)', but what is read is called \(names).")
        }
        return sources
    }

    private static func unused(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = name
        var number = 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }
}
