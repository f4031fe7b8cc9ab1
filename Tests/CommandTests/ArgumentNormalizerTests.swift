import Testing

@testable import busctl_rx

@Suite("Arguments are parsed by the usual Unix rules")
struct ArgumentNormalizerTests {
    private static let options = OptionTable(
        [
            OptionDeclaration(names: ["-n", "--lines"], kind: .value, help: ""),
            OptionDeclaration(names: ["-o"], kind: .value, help: ""),
            OptionDeclaration(names: ["-f"], opposite: "--no-follow", kind: .flag, help: ""),
        ]
    )

    /// Each option joined with its value; operands in brackets.
    private func normalize(_ arguments: [String]) throws -> [String] {
        try ArgumentNormalizer.normalize(arguments, Self.options).map { word in
            switch word {
            case .option(let name, let value): value.map { "\(name)=\($0)" } ?? name
            case .operand(let text): "[\(text)]"
            }
        }
    }

    @Test(
        "a value belongs to its option, attached or not, whatever it looks like",
        arguments: [
            (["-n50"], ["-n=50"]),
            (["-n", "50"], ["-n=50"]),
            (["-n=50"], ["-n=50"]),
            (["-n-1"], ["-n=-1"]),
            (["-n", "-1h"], ["-n=-1h"]),
            (["-n", "--"], ["-n=--"]),
            (["-n", "-o"], ["-n=-o"]),
            (["-n0", "-o", "json"], ["-n=0", "-o=json"]),
            (["-nn5"], ["-n=n5"]),
            (["-n==5"], ["-n==5"]),
            (["-n="], ["-n="]),
            (["-n", ""], ["-n="]),
            (["--lines", "5"], ["--lines=5"]),
            (["--lines=5"], ["--lines=5"]),
            (["--lines=a=b"], ["--lines=a=b"]),
            (["--lines="], ["--lines="]),
            (["--lines", "-f"], ["--lines=-f"]),
            (["--lines", "\u{301}x"], ["--lines=\u{301}x"]),
            (["--lines=\u{301}x"], ["--lines=\u{301}x"]),
        ]
    )
    func values(typed: [String], expected: [String]) throws {
        #expect(try normalize(typed) == expected)
    }

    @Test(
        "short options cluster, and the last of a cluster may have a value",
        arguments: [
            (["-fn5"], ["-f", "-n=5"]),
            (["-fn", "5"], ["-f", "-n=5"]),
            (["-fojson"], ["-f", "-o=json"]),
            (["-ff"], ["-f", "-f"]),
            (["-n5f"], ["-n=5f"]),
        ]
    )
    func clusters(typed: [String], expected: [String]) throws {
        #expect(try normalize(typed) == expected)
    }

    @Test(
        "operands stay where they are, and -- ends the options",
        arguments: [
            ([], []),
            (["", "-", "a b"], ["[]", "[-]", "[a b]"]),
            (["x", "-n5", "y"], ["[x]", "-n=5", "[y]"]),
            (["-f", "--", "-n5", "--", "--bogus"], ["-f", "[-n5]", "[--]", "[--bogus]"]),
        ]
    )
    func operands(typed: [String], expected: [String]) throws {
        #expect(try normalize(typed) == expected)
    }

    @Test(
        "a request for help ends the command line",
        arguments: [
            (["-n5", "--help", "--bogus"], ["-n=5", "--help"]), (["-fhx", "-o"], ["-f", "-h"]),
            (["--version", "-n"], ["--version"]),
        ]
    )
    func requests(typed: [String], expected: [String]) throws {
        #expect(try normalize(typed) == expected)
    }

    @Test(
        "a command line error is reported as one error",
        arguments: [
            (["--since", "-1h"], UsageError.unknownOption("--since", argument: "--since", nearest: nil)),
            (["--since=-1h"], .unknownOption("--since", argument: "--since", nearest: nil)),
            (["-S-1h"], .unknownOption("-S", argument: "-S-1h", nearest: nil)),
            (["-1h"], .unknownOption("-1", argument: "-1h", nearest: nil)),
            (["-fxn5"], .unknownOption("-x", argument: "-fxn5", nearest: nil)),
            (["-n\u{301}5", "-f\u{301}"], .unknownOption("-\u{301}", argument: "-f\u{301}", nearest: nil)),
            (["--no-folow"], .unknownOption("--no-folow", argument: "--no-folow", nearest: "--no-follow")),
            (["---x"], .unknownOption("---x", argument: "---x", nearest: nil)),
            (["-n"], .missingValue(option: "-n")),
            (["-fn"], .missingValue(option: "-n")),
            (["--lines"], .missingValue(option: "--lines")),
            (["--no-follow=yes"], .superfluousValue(option: "--no-follow", value: "yes")),
            (["--help=me"], .superfluousValue(option: "--help", value: "me")),
        ]
    )
    func errors(typed: [String], expected: UsageError) {
        #expect(throws: expected) { try normalize(typed) }
    }

    @Test(
        "no two options of a command have the same name, and the help shows each",
        arguments: BusctlRx.commands.map { $0.name }
    )
    func names(command: String) throws {
        let command = try #require(Arguments.command(named: command))
        let names = command.table.declarations.flatMap(\.allNames)
        #expect(Set(names).count == names.count)
        let help = HelpText.of(command)
        for option in command.table.declarations {
            #expect(help.contains("  \(option.synopsis)"), "\(option.synopsis)")
            #expect(!option.help.isEmpty)
        }
    }

    @Test("-h fits a screen of 24 lines with 80 columns", arguments: BusctlRx.commands.map { $0.name })
    func brief(command: String) throws {
        let command = try #require(Arguments.command(named: command))
        let lines = HelpText.brief(of: command).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count < 24)
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test("each option can be set", arguments: BusctlRx.commands.map { $0.name })
    func taken(command: String) throws {
        let command = try #require(Arguments.command(named: command))
        for name in command.table.names {
            // A value that no option takes is refused by the option itself.
            let kind = try #require(command.table.kind(of: name))
            let words = try ArgumentNormalizer.normalize(kind.takesValue ? [name, "\u{1}"] : [name], command.table)
            do {
                _ = try command.parse(words)
            } catch UsageError.unknownOption {
                Issue.record("\(name) is not taken")
            } catch {
                continue
            }
        }
    }
}
