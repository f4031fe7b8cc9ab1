import Foundation
import TestSupport
import Testing

@Suite("busctl-rx tail marks the matches of --highlight and -g")
struct CommandLineHighlightTests {
    private static let red = "\u{1B}[0;1;31m"
    private static let end = "\u{1B}[0m"
    private static let coloured = ["LANG": "C", "TZ": "UTC", "SYSTEMD_COLORS": "1"]

    private static let stream = SyntheticJournal.export(
        ["a Foo b foo c", "\tfoo\nfoo bar", "x\u{1B}[2Jfoo"].map { message in
            [
                ("MESSAGE", Array(message.utf8)), ("SYSLOG_IDENTIFIER", Array("foo".utf8)),
                ("_HOSTNAME", Array("host".utf8)), ("OTHER", Array("food".utf8)),
            ]
        }
    )

    /// The output, with `<` and `>` in place of the sequences that begin and end a mark.
    private func shown(_ arguments: String..., input: Data = stream) throws -> String {
        let ended = try TailProcess.run(
            ["tail", "--from", "export:-"] + arguments,
            input: input,
            environment: Self.coloured
        )
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
        return ended.output.replacing(Self.red, with: "<").replacing(Self.end, with: ">")
    }

    @Test("in every format for people: -g marks messages, --highlight everything shown of a record")
    func formats() throws {
        let head = "Nov 14 22:13:20 host"
        let indent = String(repeating: " ", count: head.count + 6)
        #expect(
            try shown("--highlight", "foo", "-n", "2")
                == "\(head) <foo>:         <foo>\n\(indent)<foo> bar\n\(head) <foo>: [8B blob data]\n"
        )
        #expect(try shown("--highlight", "Foo", "--count", "1") == "\(head) foo: a <Foo> b foo c\n")
        #expect(try shown("-g", "foo", "--count", "1") == "\(head) foo: a <Foo> b <foo> c\n")
        #expect(
            try shown("-g", "oo b", "--highlight", "a", "--highlight", "B.f", "-ocat")
                == "<a> F<oo b> foo c\n\tfoo\nf<oo b><a>r\n".replacing("oo b><a>", with: "oo ba>")
        )
        #expect(try shown("-g", #"o\nf"#, "-ocat") == "\tfo<o>\n<f>oo bar\n")
        #expect(try shown("-g", #"\tF?|o\nf"#) == "\(head) foo: <        >fo<o>\n\(indent)<f>oo bar\n")
        let fields = try shown("-g", "foo", "-ocat", "--output-fields", "OTHER,MESSAGE,SYSLOG_IDENTIFIER", "-n1")
        #expect(fields == "food\nx\u{1B}[2J<foo>\nfoo\n")
        let verbose = try shown("-g", "FOO|Foo", "--highlight", "^f", "-overbose")
        #expect(verbose.contains("    MESSAGE=a <Foo> b foo c\n"), "\(verbose)")
        #expect(verbose.contains("    OTHER=<f>ood\n") && verbose.contains("    SYSLOG_IDENTIFIER=<f>oo\n"))
        let template = ["--template", "{host} {identifier} {OTHER} {message}", "--count", "1"]
        #expect(try shown("-g", "foo", template[0], template[1]).hasPrefix("host foo food a <Foo> b <foo> c\n"))
        #expect(
            try shown("--highlight", "o+", "--count", "1", template[0], template[1])
                == "h<o>st f<oo> f<oo>d a F<oo> b f<oo> c\n"
        )
    }

    @Test("in records of other sources, and in the context of a match")
    func records() throws {
        let lines = Data("one\nwarn: two\nthree\n".utf8)
        let ended = try TailProcess.run(
            ["tail", "--from", "lines:-", "-ocat", "-g", "two", "-C", "1", "--highlight", "e$", "--color", "always"],
            input: lines
        )
        let marked = { (text: String) in Self.red + text + Self.end }
        #expect(
            ended
                == .init(
                    status: 0,
                    output: "on\(marked("e"))\nwarn: \(marked("two"))\nthre\(marked("e"))\n",
                    errors: ""
                )
        )
    }

    @Test("in records of several lines, whose later lines stay below the first")
    func speakers() throws {
        let line = try shown("-o", "short", "-C", "0", "--highlight", "foo", "-g", "bar")
        let plain = line.replacing(#/[<>]|\x1B\[[0-9;]*m/#, with: "").split(separator: "\n")
        #expect(plain == ["Nov 14 22:13:20 journal foo:         foo", "                             foo bar"])
        #expect(line.contains(" <foo>:         <foo>\n") && line.hasSuffix("  <foo> <bar>\n"))
    }

    @Test("only where output is coloured", arguments: [["NO_COLOR": "1"], ["SYSTEMD_COLORS": "0"], [:]])
    func colours(environment: [String: String]) throws {
        let environment = environment.merging(["TERM": "xterm", "TZ": "UTC"]) { one, _ in one }
        let arguments = ["tail", "--from", "lines:-", "-g", "a", "--highlight", "a", "-ocat"]
        let folder = try TemporaryFolder()
        try Data("a\n".utf8).write(to: URL(fileURLWithPath: folder.path("a")))
        for output in [TailProcess.Stream.pipe, .terminal] {
            let process = try TailProcess(
                arguments,
                input: .file(folder.path("a")),
                output: output,
                environment: environment
            )
            let isOn = if case .terminal = output { environment.count == 2 } else { false }
            #expect(try process.end().output == (isOn ? "\(Self.red)a\(Self.end)\n" : "a\n"))
        }
    }

    @Test("no entry sends a control sequence to a terminal", arguments: ["short", "cat", "verbose"])
    func terminal(format: String) throws {
        let folder = try TemporaryFolder()
        try Self.stream.write(to: URL(fileURLWithPath: folder.path("stream")))
        let arguments = [
            "tail", "--from", "export:" + folder.path("stream"), "-o", format, "--highlight", #"\x1b.2|foo"#,
        ]
        let output = try TailProcess(arguments, output: .terminal, environment: Self.coloured).end().output
        let plain = output.replacing(Self.red, with: "<").replacing(Self.end, with: ">")
        #expect(!plain.contains("\u{1B}") && plain.contains(#"x<\x1b[2>J<foo>"#), "\(plain.debugDescription)")
    }

    @Test(
        "one match in an entry of a journal looks as journalctl shows it",
        .enabled(if: SyntheticJournal.isAvailable, "\(SyntheticJournal.hint)")
    )
    func journalctl() throws {
        // journalctl marks only the first match. It marks none in entries of severity info, which have no colour.
        let journal = try SyntheticJournal(
            [0, 3, 4, 5, 7].flatMap { severity in
                ["foo a", "a foo b", "ä\tfoo b"].map { message in
                    [
                        ("MESSAGE", Array(message.utf8)), ("PRIORITY", Array("\(severity)".utf8)),
                        ("SYSLOG_IDENTIFIER", Array("x".utf8)), ("_HOSTNAME", Array("foo".utf8)),
                    ]
                }
            }
        )
        for format in ["short", "short-iso", "with-unit"] {
            let arguments = ["--file", journal.path, "-g", "foo", "-o", format, "--utc"]
            let coloured = ["SYSTEMD_COLORS=1", "/usr/bin/journalctl"]
            let theirs = try Command.run("/usr/bin/env", coloured + arguments).output
            let ours = try TailProcess.run(["tail", "--no-follow"] + arguments, environment: Self.coloured).output
            #expect(ours == String(decoding: theirs, as: UTF8.self))
        }
    }
}
