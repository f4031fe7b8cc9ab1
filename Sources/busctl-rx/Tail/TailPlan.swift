import CLinux
import Filter
import FilterBridge
import JournalBridge
import Records
import RecordSources

/// `busctl-rx tail` as it will be done: all arguments, checked and resolved.
struct TailPlan: Sendable {
    enum Input: Sendable {
        case journal(JournalSource, JournalCourse)
        /// A stream in the journal export format, of which the newest `last` matching entries are shown, or all.
        case export(path: String, last: Int?, isReversed: Bool)
        /// Anything else.
        case records(RecordPlan)
    }

    let input: Input
    let query: JournalQuery
    /// Counts the filter's results, where that was requested.
    let tally: FilterTally?
    /// Whether the counts are shown at the end.
    let showsTally: Bool
    let statistics: RunStatistics?
    /// The cost that all evaluations of the filter may have.
    let budget: FilterBudget?
    let style: JournalStyle
    let count: Int?
    /// How many threads search a journal and write its entries out.
    let threads: Int
    let timeout: Duration?
    /// The command to run for each record in place of showing it.
    let action: ActionPlan?
    /// The pager for the output; `nil` for the terminal itself, or any other output.
    let pager: PagerChoice?

    /// The file with the place.
    let cursorFile: CursorFile?
    let showsCursor: Bool
    /// When following ends, in microseconds since 1970.
    let until: Int64?

    init(_ command: TailCommand) throws {
        // Asked once, because time goes on.
        let follow = command.waits
        cursorFile = command.cursorFile.map { CursorFile(path: $0) }
        showsCursor = command.showCursor
        let place = try Self.cursor(in: cursorFile) ?? command.afterCursor
        let context = command.aids.context
        let parts = try context.map { _ in try RecordContext.split(command.operands, command.choosing) }
        let (operands, choosing) = parts?.reading ?? (command.operands, command.choosing)
        let chosen = try FilterArgument.all(operands, choosing, in: command.from) { text in
            if command.readsRecords {
                _ = try FilterArgument.compile(text, over: command.from.named(skewed: false))
            } else {
                _ = try FilterArgument.compile(text)
            }
        }
        var style = try Self.style(command)
        style.explanations = command.aids.beginExplaining()
        // Statistics need a filter to count with, if only `true`.
        let filter = chosen ?? (command.statistics && parts == nil ? "true" : nil)
        showsTally = command.filterStatistics && (chosen != nil || parts != nil)
        tally = showsTally || command.statistics ? FilterTally() : nil
        statistics = command.statistics ? tally.map { RunStatistics($0, isLive: follow) } : nil
        if command.readsRecords {
            var plan = try RecordPlan(
                command.from,
                filter,
                parts == nil ? tally : nil,
                since: command.choosing.choice.since,
                until: command.choosing.choice.until,
                lines: command.lines,
                follow: follow,
                timing: command.operators.timing,
                events: command.operators,
                statistics: statistics,
                style: Self.recordStyle(command),
                aids: style.aids,
                isReversed: command.reverse,
                isQuiet: command.quiet,
                fields: [
                    ("--template", command.template?.template.paths ?? []),
                    ("--output-fields", command.outputFields?.paths ?? []),
                ]
            )
            if let context, let matches = parts?.matches { try plan.setContext(context, matches, tally) }
            input = .records(plan)
            (query, budget) = (.everything, plan.filter?.budget)
        } else {
            input = Self.input(command, after: place, follow: follow)
            (query, budget) = try Self.query(filter, tally, input, isQuiet: command.quiet)
        }
        until = command.choosing.choice.until?.microseconds
        self.style = style
        let isBounded = if case .journal(_, .back) = input { true } else { false }
        let limit = isBounded ? command.lines?.limit : nil
        count = command.count.map { min($0, limit ?? .max) } ?? limit
        threads = command.threads ?? Self.usableThreads
        timeout = command.operators.timeout
        action = ActionPlan(
            command.operators,
            style: Self.recordStyle(command),
            fields: command.outputFields?.paths
        )
        pager = command.pager
    }

    /// As many as there are processors that this process may use, and at most eight, which read as fast as memory does.
    private static var usableThreads: Int { min(Int(clinux_usable_processors()), 8) }

    /// The message for a person when `--timeout` ends the run; `nil` where nothing more is to be said.
    func silence(of value: String?) -> String? {
        guard let value, let timeout, case .records(let plan) = input, let field = plan.timing.field else { return nil }
        return value.isEmpty
            ? "no record without '\(field.text)' came for \(timeout)"
            : "no record with \(field.text) '\(value)' came for \(timeout)"
    }

    /// Whether it waits for new entries.
    var follows: Bool {
        switch input {
        case .journal(_, .onward(_, let follow)): follow
        case .journal(_, .back): false
        case .records(let plan): plan.follow
        case .export: false
        }
    }

    private static func recordStyle(_ command: TailCommand) -> RecordStyle {
        var style = RecordStyle(command.template.map { .template($0.template) } ?? command.format.recordFormat ?? .json)
        style.isForTerminal = StandardDescriptors.isOutputTerminal
        style.hasColors = command.color.isOn(forTerminal: style.isForTerminal, ColorChoice.environment)
        style.isUTC = command.utc
        style.fields = command.outputFields?.paths.map(\.text)
        return style
    }

    private static func style(_ command: TailCommand) throws -> JournalStyle {
        var style = JournalStyle(command.format.format ?? .short)
        style.isForTerminal = StandardDescriptors.isOutputTerminal
        style.hasColors = command.color.isOn(forTerminal: style.isForTerminal, ColorChoice.environment)
        style.isUTC = command.utc
        style.hidesHost = command.noHostname
        style.hidesBoots = command.from.merge || command.quiet
        style.showsAll = command.all
        style.fields = command.outputFields?.paths.map(\.text)
        style.aids = try aids(command, hasColors: style.hasColors)
        return style
    }

    private static func aids(_ command: TailCommand, hasColors: Bool) throws -> ReadingAids {
        var aids = ReadingAids()
        guard command.isForPeople else { return aids }
        aids.timeGap = command.aids.timeGap
        aids.truncatesMessages = command.aids.truncatesMessages
        if hasColors {
            aids.marker = try Highlighter(command.choosing, highlights: command.aids.highlight)
        }
        return aids
    }

    private static func cursor(in file: CursorFile?) throws(ExitStatus) -> String? {
        do throws(CursorFileError) {
            return try file?.read()
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
    }

    /// - Parameters:
    ///   - cursor: the entry after which reading begins, whatever other options say.
    ///   - follow: whether to go on with new entries.
    private static func input(_ command: TailCommand, after cursor: String?, follow: Bool) -> Input {
        if let export = command.from.streams.first?.source as? ExportRecords, let path = export.path {
            return .export(
                path: path,
                last: command.lines?.limit,
                isReversed: command.reverse
            )
        }
        let since = command.choosing.choice.since?.microseconds
        if let order = command.reverseOrder {
            return .journal(command.from.journal, .back(order.retreat(since: since, cursor: cursor)))
        }
        let start = EntryCount.start(command.lines, since: since, follow: follow)
        return .journal(
            command.from.journal,
            .onward(from: cursor.map(JournalStart.cursor) ?? start, follow: follow)
        )
    }

    private static func query(
        _ filter: String?,
        _ tally: FilterTally?,
        _ input: Input,
        isQuiet: Bool
    ) throws(ExitStatus) -> (JournalQuery, FilterBudget?) {
        guard let filter else { return (.everything, nil) }
        let (compiled, schema) = try FilterArgument.compile(filter)
        let source: JournalSource? = if case .journal(let source, _) = input { source } else { nil }
        if !isQuiet { FilterWarnings.report(compiled, reading: source) }
        let budget = compiled.makeBudget()
        guard let tally else { return (JournalQuery(compiled, schema: schema, budget: budget), budget) }
        return (JournalQuery(compiled, schema: schema, tally: tally, budget: budget), budget)
    }
}
