import ArgumentParser
import Filter
import JournalBridge

/// `busctl-rx explain FILTER`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what a filter means and how it is answered.",
        usage: "busctl-rx explain [<options>] <filter>",
        discussion: """
            Prints the expression as a tree with the type of every part, the fields it reads, what the journal's index \
            is asked for, what remains to be checked on each entry, and what that costs. With --file, --directory or \
            --namespace it also says of each file there in which way the entries would be found, and why.

              busctl-rx explain 'unit == "nginx.service" && priority <= err && message =~ "time.?out"'
              busctl-rx explain --directory /var/log/journal 'message.contains("segfault")'

            Exit status: 0, 2 for a filter that is refused, or 3 where the journal cannot be read.
            """
    )

    static let options = OptionTable(values: ["--file", "--directory", "--namespace"]).with(
        ChoosingOptions.names
    )

    @Option(
        name: .customLong("file"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Say how this journal file is searched; may be given several times.", valueName: "path")
    )
    var files: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Say how the journal files in this directory are searched.", valueName: "path")
    )
    var directory: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Say how the journal of this namespace is searched.", valueName: "name")
    )
    var namespace: String?

    @OptionGroup(title: "Choosing as journalctl does")
    var choosing: ChoosingOptions

    @Argument(help: ArgumentHelp("The expression, or FIELD=value … as for journalctl.", valueName: "filter"))
    var filter: String?

    /// What else there is was meant to be part of the filter.
    @Argument(help: .hidden)
    var rest: [String] = []

    private var operands: [String] { (filter.map { [$0] } ?? []) + rest }

    func validate() throws {
        if try FieldMatches(operands) == nil, let first = rest.first { throw FilterArgument.interrupted(by: first) }
        guard [!files.isEmpty, directory != nil, namespace != nil].filter({ $0 }).count <= 1 else {
            throw ValidationError("--file, --directory and --namespace name different sources. Give one of them.")
        }
        if (files + [directory, namespace].compactMap { $0 }).contains("") {
            throw ValidationError("A source was given an empty name. Write the name of what to read.")
        }
    }

    func run() throws {
        guard let whole = try FilterArgument.all(operands, choosing, in: source ?? .system) else {
            throw ValidationError(
                "There is no filter to explain. Write one, as in busctl-rx explain 'priority <= err'."
            )
        }
        let (filter, schema) = try FilterArgument.compile(whole)
        let query = JournalQuery(filter, schema: schema)
        // What options and matches say can be written as one filter from now on.
        var text = whole == operands.first ? "" : "Filter: \(filter.text)\n\n"
        text += "\(filter.explain(askingIndexFor: query.indexed))\n"
        if let source { text += "\n\(try ways(source, query))\n" }
        let output = StandardOutput()
        output.append(Array(text.utf8))
        output.close()
        guard let failure = output.reportableFailure else { throw ExitStatus.matched }
        StandardError.report(failure)
        throw ExitStatus.sourceLost
    }

    private var source: JournalSource? {
        if !files.isEmpty { return .files(files) }
        if let directory { return .directory(directory) }
        return namespace.map { .namespace($0) }
    }

    private func ways(_ source: JournalSource, _ query: JournalQuery) throws -> JournalWays {
        do throws(JournalError) {
            return try JournalWays(source, query: query)
        } catch {
            StandardError.report(error.description)
            throw ExitStatus.sourceLost
        }
    }
}
