import ArgumentParser
import Glibc

@main
struct BusctlRx: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "busctl-rx",
        abstract: "Shows what a Linux machine says: tails and filters its journal with one expression language.",
        version: "0.1.0",
        subcommands: [TailCommand.self, ExplainCommand.self]
    )

    static func main() {
        StandardDescriptors.openMissing()
        do {
            try Arguments.requireText()
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// Help and version go to standard output and succeed; what was typed wrongly goes to standard error with status 2.
    private static func end(with error: any Error) -> Never {
        if let status = error as? ExitStatus { status.end() }
        guard exitCode(for: error) == .success else {
            let subcommand = Arguments.typed.first.flatMap { ["tail", "explain"].contains($0) ? " \($0)" : nil } ?? ""
            let command = "busctl-rx\(subcommand)"
            let advice = JournalctlOption.advice(for: Arguments.typed).map { "\n\($0)" } ?? ""
            StandardError.report("\(sentence(message(for: error)))\(advice)\nSee '\(command) --help'.")
            ExitStatus.usage.end()
        }
        let output = StandardOutput()
        output.append(Array((fullMessage(for: error) + "\n").utf8))
        output.close()
        if let failure = output.reportableFailure {
            StandardError.report(failure)
            ExitStatus.sourceLost.end()
        }
        ExitStatus.matched.end()
    }

    /// The parser's messages are headings; here they go on after the program's name.
    private static func sentence(_ message: String) -> String {
        message.prefix(1).lowercased() + message.dropFirst()
    }
}
