import ArgumentParser
import Filter
import JournalBridge

/// `busctl-rx explain FILTER`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what a filter means and how it is answered.",
        usage: "busctl-rx explain <filter>",
        discussion: """
            Prints the expression as a tree with the type of every part, the fields it reads, what the journal's index \
            is asked for, what remains to be checked on each entry, and what that costs.

              busctl-rx explain 'unit == "nginx.service" && priority <= err && message =~ "time.?out"'

            Exit status: 0, or 2 for a filter that is refused.
            """
    )

    static let options = OptionTable()

    @Argument(help: ArgumentHelp("The expression.", valueName: "filter"))
    var filter: String

    /// What else there is was meant to be part of the filter.
    @Argument(help: .hidden)
    var rest: [String] = []

    func validate() throws {
        if let first = rest.first { throw FilterArgument.interrupted(by: first) }
    }

    func run() throws {
        let (filter, schema) = try FilterArgument.compile(filter)
        let explanation = filter.explain(askingIndexFor: JournalQuery(filter, schema: schema).indexed)
        let output = StandardOutput()
        output.append(Array("\(explanation)\n".utf8))
        output.close()
        guard let failure = output.reportableFailure else { throw ExitStatus.matched }
        StandardError.report(failure)
        throw ExitStatus.sourceLost
    }
}
