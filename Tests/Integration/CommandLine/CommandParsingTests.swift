import ArgumentParser
import Testing

@testable import busctl_rx

@Suite("The parser of one command and the parser of the whole program agree")
struct CommandParsingTests {
    @Test(
        "errors and help are the same",
        arguments: [
            [], ["--version"], ["--help"], ["help"], ["help", "tail"], ["tail", "--help"], ["count", "--help"],
            ["tail", "-n=x"], ["tail", "--nothing"], ["tail", "-o"], ["tail", "-o=nothing"], ["tail", "--version"],
            ["tail", "--reverse", "--follow"], ["count", "--every=0"], ["explain"], ["nothing"],
        ]
    )
    func refused(words: [String]) {
        #expect(Self.answer { try BusctlRx.parseCommand(words) } == Self.answer { try BusctlRx.parseAsRoot(words) })
    }

    @Test(
        "values are the same",
        arguments: [
            ["tail"], ["tail", "-n=5", "-o=json", "pid == 1"], ["tail", "count"], ["tail", "--", "-1 < age"],
            ["count", "--by=unit"], ["explain", "pid == 1"], ["sources"],
        ]
    )
    func taken(words: [String]) throws {
        let (alone, whole) = (try BusctlRx.parseCommand(words), try BusctlRx.parseAsRoot(words))
        #expect(type(of: alone) == type(of: whole))
        var (one, other) = ("", "")
        dump(alone, to: &one)
        dump(whole, to: &other)
        // They hold closures, which have no description, and objects, whose addresses differ.
        let address = /0x[0-9a-f]+|#[0-9]+/
        #expect(one.replacing(address, with: "") == other.replacing(address, with: ""))
    }

    /// The error, or the help text.
    private static func answer(_ parse: () throws -> any ParsableCommand) -> String {
        do {
            var command = try parse()
            // Help is a command that throws its text.
            guard !(command is TailCommand || command is CountCommand || command is ExplainCommand) else {
                return "taken"
            }
            try command.run()
            return "taken"
        } catch {
            return BusctlRx.fullMessage(for: error)
        }
    }
}
