import Filter
import FilterBridge
import JournalBridge
import RecordSources
import Timers

/// `busctl-rx explain FILTER`, `busctl-rx explain --calendar EXPRESSION`
struct ExplainCommand: Command {
    static let name = "explain"
    static let summary = "Show how a filter is answered, or when a calendar comes next."
    static let usage = "busctl-rx explain [<options>] [<filter>]"
    static let discussion = """
        Prints the expression as a tree with the type of every part, the fields it reads, what the journal's index \
        is asked for, what remains to be checked on each entry, and what that costs. With --file, --directory, \
        --namespace and the like it also says of each file there in which way the entries would be found, and why. With --from the \
        fields are those of the sources that are named. Of the configuration file only its filters (@name) are used.

          busctl-rx explain 'unit == "nginx.service" && priority <= err && message =~ "time.?out"'
          busctl-rx explain --directory /var/log/journal 'message.contains("segfault")'

        With --calendar or --cron it prints the next times of a calendar instead, as 'systemd-analyze calendar' does: the normal \
        form, each time in local time, in the calendar's zone and in UTC, and how long it is until then. Local times that the clocks \
        skip are listed, and those that they show twice are marked.

          busctl-rx explain --calendar 'Mon..Fri 09:00 Europe/Berlin' --next 5
          busctl-rx explain --cron '*/5 9-17 * * 1-5' --next 3

        Exit status: 0, 2 for an expression that is refused, or 3 where the journal cannot be read.
        """

    static var options: [CommandOption<Self>] {
        CalendarQuestion.options.map { $0.within("Calendars") { try $1(&$0.calendar) } }
            + SourceOptions.options.map { $0.within("Sources") { try $1(&$0.from) } }
            + ChoosingOptions.options.map { $0.within("Choosing as journalctl does") { try $1(&$0.choosing) } }
            + FilterOperands.options.map { $0.within("") { try $1(&$0.operands) } }
    }

    var calendar = CalendarQuestion()
    var from = SourceOptions()
    var choosing = ChoosingOptions()
    var operands = FilterOperands()
    static var operands: [CommandOperand<Self>] { [FilterOperands.operand { try $1(&$0.operands) }] }

    func validate() throws {
        try calendar.validate(besides: operands.all.first)
        try from.validate()
        try choosing.validate()
        try operands.validate()
        try choosing.requireJournal(in: from)
    }

    func run() throws {
        if let explanation = try calendar.explanation() { try write(explanation.text) }
        guard let whole = try FilterArgument.all(operands, choosing, in: from, check: { _ = try compile($0) })
        else {
            throw ValidationError(
                "There is no filter to explain. Write one, as in busctl-rx explain 'priority <= err'."
            )
        }
        let (filter, query, buses) = try compile(whole)
        // From here on, the options and matches can be written as one filter.
        var text = whole == operands.all.first ? "" : "Filter: \(filter.text)\n\n"
        text += "\(filter.explain(askingIndexFor: query?.indexed ?? .everything))\n\(buses)"
        if let source = from.named, let query { text += "\n\(try plans(source, query))\n" }
        try write(text)
    }

    /// Ends with the exit status, as ``run()`` does.
    private func write(_ text: String) throws -> Never {
        let output = StandardOutput()
        output.append(Array(text.utf8))
        output.close()
        guard let failure = output.reportableFailure else { throw ExitStatus.matched }
        StandardError.report(failure)
        throw ExitStatus.sourceLost
    }

    /// The filter with the fields of the sources; with the part that one journal's index is asked for, and the lines
    /// about buses.
    private func compile(_ text: String) throws -> (CompiledFilter, JournalQuery?, buses: String) {
        guard from.isJournalAlone else {
            let sources = try from.named()
            let filter = try FilterArgument.compile(text, over: sources)
            let questions = sources.compactMap { source in
                source.source.question(filter, named: source.name).map { "Asked of \(source.name): \($0)\n" }
            }
            return (filter.filter, nil, questions.joined())
        }
        let (filter, schema) = try FilterArgument.compile(text)
        return (filter, JournalQuery(filter, schema: schema), "")
    }

    private func plans(_ source: JournalSource, _ query: JournalQuery) throws -> AccessPlans {
        do throws(JournalError) {
            return try AccessPlans(source, query: query)
        } catch {
            StandardError.report(error.description)
            throw ExitStatus.sourceLost
        }
    }
}
