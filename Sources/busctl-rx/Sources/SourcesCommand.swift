import ArgumentParser

/// `busctl-rx sources`
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "List what can be listened to.",
        discussion: """
            Prints the kinds of sources that 'busctl-rx tail --from' takes, what each reads, and whether it is to be had here.
            """
    )

    static let options = OptionTable()

    func run() throws {
        let examples = SourceKind.allCases.map(\.example)
        let width = examples.map(\.count).max() ?? 0
        let lines = zip(SourceKind.allCases, examples).map { kind, example in
            let summary = kind.summary + (SourceAvailability.objection(to: kind).map { " (\($0))" } ?? "")
            return example + String(repeating: " ", count: width - example.count + 2) + summary
        }
        let output = StandardOutput()
        output.append(Array((lines.joined(separator: "\n") + "\n").utf8))
        output.close()
        guard let failure = output.reportableFailure else { throw ExitStatus.matched }
        StandardError.report(failure)
        throw ExitStatus.sourceLost
    }
}
