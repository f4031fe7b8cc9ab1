import Bus
import CLinux
import Filter
import JournalBridge
import RecordSources
import Records
import Terminal

/// `busctl-rx explore`
struct ExploreCommand: Command {
    static let name = "explore"
    static let summary = "Look at records on a full screen: over time, by values, one by one."
    static let usage = "busctl-rx explore [<options>] [<filter>]"
    static let discussion = """
        Draws how many records there were over time, below it the records themselves, and on demand the values of fields with their \
        counts and all fields of one record. What is chosen becomes part of the filter, which stands in a line of its own and takes \
        effect while it is typed. 'c' shows the command of tail that selects the same; '?' shows the keys.

          busctl-rx explore
          busctl-rx explore -b -p err
          busctl-rx explore -S yesterday 'unit == "nginx.service"'
          busctl-rx explore --from json:app.log --from dbus:system

        Of a journal, all numbers are exact; while they grow, the share that has been read stands beside them. Its times are those of \
        receipt. A value of 'unit' that is chosen selects what -u does, also messages about the unit. Of other sources the newest 100,000 records, and 64 MB of them, are held, and the numbers are of these. The filters \
        of the configuration file (@name) may be used.

        The terminal needs 40 columns and 10 lines. The screen is drawn with ncurses, which has to be installed: the package libncursesw6 on Debian and Ubuntu. With NO_COLOR there \
        are no colours.

        Exit status: 0, 2 usage or expression, 3 the source or the terminal is unavailable, or a file was still being written.
        """

    static var options: [CommandOption<Self>] {
        let own: [CommandOption<Self>] = [
            .toggle(
                "-f",
                "--follow",
                opposite: "--no-follow",
                brief: "show what comes, or not",
                help: "Show what comes, too. Default: --follow."
            ) { $0.follow = $1 },
            .flag("--utc", help: "Write times in UTC.") { $0.utc = true },
        ]
        return own
            + SourceOptions.options.map { $0.within("Sources") { try $1(&$0.from) } }
            + ChoosingOptions.options.map { $0.within("Choosing as journalctl does") { try $1(&$0.choosing) } }
            + FilterOperands.options.map { $0.within("") { try $1(&$0.operands) } }
    }

    static var operands: [CommandOperand<Self>] { [FilterOperands.operand { try $1(&$0.operands) }] }

    var from = SourceOptions()
    var follow = true
    var utc = false
    var choosing = ChoosingOptions()
    var operands = FilterOperands()

    func validate() throws {
        try from.validate()
        try choosing.validate()
        try operands.validate()
        try choosing.requireJournal(in: from)
    }

    /// Whether a journal is asked for each answer; else records are held in memory.
    private var asksJournal: Bool {
        from.isJournalAlone && from.skews.isEmpty && from.streams.allSatisfy { $0.journal != nil }
    }

    func run() throws {
        // Each question is answered on a thread of its own.
        clinux_give_back_large_blocks()
        // The times have a place of their own.
        var pieces = choosing
        pieces.choice.since = nil
        pieces.choice.until = nil
        let sources = try from.named()
        let filter = try FilterArgument.all(operands, pieces, in: from) { text in
            _ = try FilterArgument.compile(text, over: sources)
        }
        var query = ExploreQuery(filter: filter ?? "")
        if choosing.choice.since != nil || choosing.choice.until != nil {
            let first = choosing.choice.since?.microseconds ?? .min
            query.window = first...max(first, choosing.choice.until?.microseconds ?? .max)
        }
        if asksJournal {
            let journal = ExploredJournal(
                journal: from.journal,
                title: (["journal"] + from.words).joined(separator: " ")
            )
            query.filter = try Self.checked(query.filter, by: journal)
            let times: ClosedRange<Int64>?
            do throws(JournalError) {
                times = try journal.times()
            } catch {
                StandardError.report(error.description)
                throw ExitStatus.sourceLost
            }
            throw try explore(journal, query, times: times, try Interruptions()) { _ in nil }
        }
        let plan = try RecordPlan(
            from,
            nil,
            nil,
            since: choosing.choice.since,
            lines: .all,
            follow: follow,
            timing: RecordTiming(field: nil),
            style: RecordStyle(.message)
        )
        let store = ExploredStore(sources)
        query.filter = try Self.checked(query.filter, by: store)
        let interruptions = try Interruptions(blockingAlso: plan.signalNumbers)
        throw try explore(store, query, times: nil, interruptions) { report in
            RecordRun(plan: plan).records(count: nil, caughtUp: {}, report: report).subscribe(
                next: { store.keep($0) },
                failed: { report($0.description) }
            )
        }
    }

    /// - Parameter begin: begins to read what is held in memory.
    private func explore(
        _ source: some ExploredSource,
        _ query: ExploreQuery,
        times: ClosedRange<Int64>?,
        _ interruptions: Interruptions,
        _ begin: (_ report: @escaping @Sendable (String) -> Void) -> (any Disposable)?
    ) throws(ExitStatus) -> ExitStatus {
        let screen: Screen
        do throws(ScreenFailure) {
            screen = try Screen(usesColor: ColorChoice.auto.isOn(forTerminal: true, ColorChoice.environment))
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
        let outcome = TailOutcome { [waker = screen.waker] in waker.wake() }
        interruptions.watchSignals(outcome) { 0 }
        CatalogLocale.adopt()
        var style = JournalStyle(.short)
        style.explanations = screen.hasUnicode ? .shade : .dashes
        let catalog = Lock(CatalogFormat(style))
        let model = ExploreModel(
            title: source.title,
            sourceWords: from.words.map { AddressSecrets.hidden(in: $0) }
                + (times == nil && !follow ? ["--no-follow"] : []),
            facets: source.facets,
            query: query,
            times: times,
            follows: follow || times == nil,
            bound: { source.bound },
            explain: { record in
                guard let entry = (record.content as? JournalContent)?.entry else { return [] }
                return catalog.withLock { catalog in
                    var output = OutputBuffer(capacity: 1024)
                    catalog?.append(entry, to: &output)
                    return output.withBytes { String(decoding: $0, as: UTF8.self) }
                        .split(separator: "\n").map(String.init)
                }
            },
            check: { source.mistake(in: $0) }
        )
        let run = ExploreRun(source, model, on: screen, outcome, isUTC: utc)
        // Messages would be written into the screen.
        StandardError.divert(to: run.report)
        let reading = begin(run.report)
        let end = run.run()
        reading?.dispose()
        screen.close()
        StandardError.divert(to: nil)
        if let reason = end.reason { StandardError.report(reason) }
        return end.status
    }

    /// The filter in one line, as it is edited, unless a comment ends with its line. Shows its error.
    private static func checked(_ filter: String, by source: some ExploredSource) throws(ExitStatus) -> String {
        if let error = source.mistake(in: filter) {
            StandardError.report(rendered: error.description)
            throw .usage
        }
        let line = filter.split(separator: "\n").joined(separator: " ")
        return source.mistake(in: line) == nil ? line : filter
    }
}
