import CVersion
import Filter
import Glibc

@main
enum BusctlRx {
    static let name = "busctl-rx"
    static let version = "0.1.0"
    /// The version, and the commit where the build knows it: `0.1.0 (1a2b3c4d)`.
    static var build: String {
        let commit = String(cString: cversion_commit())
        return commit.isEmpty ? version : "\(version) (\(commit))"
    }
    static let summary = "Shows what a Linux machine says: tails and filters its journal with one expression language."

    static var commands: [any Command.Type] {
        [
            TailCommand.self, CountCommand.self, ExploreCommand.self, ExplainCommand.self, SourcesCommand.self,
            InspectCommand.self,
            PostCommand.self, ForwardCommand.self,
        ]
    }

    static func main() {
        StandardDescriptors.openMissing()
        if Arguments.typed.first == Completion.request { Completion.answer(Array(Arguments.typed.dropFirst())) }
        if Arguments.typed.first == BuildDigest.request { BuildDigest.answer() }
        do {
            if Arguments.typed.first == CommandHelp.request { throw Answer(text: CommandHelp.description) }
            try Arguments.parse().run()
        } catch {
            end(with: error)
        }
    }

    /// Help and version go to standard output and succeed; messages about wrong arguments go to standard error with
    /// status 2.
    private static func end(with error: any Error) -> Never {
        switch error {
        case let status as ExitStatus: status.end()
        case let error as ConfigurationError: StandardError.report(AddressSecrets.hidden(in: error.description))
        case let answer as Answer: end(with: answer)
        default:
            let command = [name, Arguments.command].compactMap { $0 }.joined(separator: " ")
            StandardError.report(sentence(error), hint: "See '\(command) --help'.")
        }
        ExitStatus.usage.end()
    }

    private static func end(with answer: Answer) -> Never {
        let output = StandardOutput()
        output.append(Array((answer.text + "\n").utf8))
        output.close()
        if let failure = output.reportableFailure {
            StandardError.report(failure)
            ExitStatus.sourceLost.end()
        }
        ExitStatus.matched.end()
    }

    /// The message of an error, to follow the program's name.
    static func sentence(_ error: any Error) -> String {
        let text = AddressSecrets.hidden(in: String(describing: error))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
