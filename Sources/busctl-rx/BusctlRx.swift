import ArgumentParser
import Glibc

@main
struct BusctlRx: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "busctl-rx",
        abstract: "Shows what a Linux machine says: tails and filters its journal with one expression language.",
        version: "0.1.0",
        subcommands: [TailCommand.self]
    )

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// Help and version go to standard output and succeed; what was typed wrongly goes to standard error with status 2.
    private static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        if let status = error as? ExitStatus { Glibc.exit(status.rawValue) }
        let message = fullMessage(for: error)
        guard code == .success else {
            StandardError.print(message)
            Glibc.exit(ExitStatus.usage.rawValue)
        }
        let output = StandardOutput()
        output.append(Array((message + "\n").utf8))
        output.flush()
        Glibc.exit(ExitStatus.matched.rawValue)
    }
}
