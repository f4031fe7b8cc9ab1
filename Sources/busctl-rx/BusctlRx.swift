import ArgumentParser
import Filter
import Glibc

@main
struct BusctlRx: ParsableCommand {
    /// Each command names it as its super-command. Without that, the parser looks twice for
    /// `--generate-completion-script`, which takes a tenth of the time to the first line.
    static let name = "busctl-rx"

    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Shows what a Linux machine says: tails and filters its journal with one expression language.",
        version: version,
        subcommands: [
            TailCommand.self, CountCommand.self, ExplainCommand.self, SourcesCommand.self, InspectCommand.self,
            PostCommand.self, ForwardCommand.self,
        ]
    )

    static func main() {
        StandardDescriptors.openMissing()
        if Arguments.typed.first == Completion.request { Completion.answer(Array(Arguments.typed.dropFirst())) }
        if Arguments.typed.first == BuildDigest.request { BuildDigest.answer() }
        do {
            var command = try ConfiguredCommand.parse()
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// Help and version go to standard output and succeed; messages about wrong arguments go to standard error with
    /// status 2.
    private static func end(with error: any Error) -> Never {
        if let status = error as? ExitStatus { status.end() }
        if let error = error as? ConfigurationError {
            StandardError.report(error.description)
            ExitStatus.usage.end()
        }
        guard exitCode(for: error) == .success else {
            let command = [name, Arguments.command].compactMap { $0 }.joined(separator: " ")
            StandardError.report(sentence(error), hint: "See '\(command) --help'.")
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

    /// The parser's messages are headings; here they continue the line after the program's name, and a list of values
    /// is put into the line.
    static func sentence(_ error: any Error) -> String {
        let text = AddressSecrets.hidden(in: message(for: error))
        let line = guess(in: text) ?? text.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
        return line.prefix(1).lowercased() + line.dropFirst()
    }

    /// The message about a value, with the one that was probably meant in place of all that there are.
    private static func guess(in text: String) -> String? {
        let parts = text.split(separator: "\n  - ").map(String.init)
        guard parts.count > 1, let end = parts[0].firstRange(of: "'. Please provide"),
            let typed = parts[0].firstRange(of: "The value '"),
            let close = parts[0].firstRange(of: "' is invalid for "),
            typed.upperBound <= close.lowerBound,
            let nearest = Spelling.nearest(
                to: String(parts[0][typed.upperBound..<close.lowerBound]),
                among: Array(parts.dropFirst())
            )
        else { return nil }
        return "\(parts[0][..<end.lowerBound])', did you mean '\(nearest)'?"
    }
}
