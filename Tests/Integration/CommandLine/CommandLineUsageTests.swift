import Foundation
import Testing

@Suite("busctl-rx refuses wrong command lines with status 2 and a message that says what is right")
struct CommandLineUsageTests {
    @Test(
        "a wrong option or value is named, with what would be right",
        arguments: [
            (["--bogus"], ["'--bogus'"]),
            (["--no-folow"], ["'--no-folow'", "'--no-follow'"]),
            (["-n", "ten"], ["'ten'", "-n", "-n 20", "all"]),
            (["-n", "-1"], ["'-1'", "-n"]),
            (["-n", "99999999999999999999"], ["'99999999999999999999'", "-n"]),
            (["-o"], ["-o"]),
            (["-S", "--no-follow"], ["'--no-follow'", "-S"]),
            (["--count", "0"], ["'0'", "--count", "at least 1"]),
            (["--count", "x"], ["'x'", "--count", "--count 3"]),
            (["--threads", "0"], ["'0'", "--threads", "from 1 to 64"]),
            (["--timeout", "3"], ["'3'", "--timeout", "10s"]),
            (["--timeout", "0s"], ["'0s'", "--timeout", "more than nothing"]),
            (["--timeout", "-5s"], ["'-5s'", "--timeout"]),
            (["--timeout", "5 s"], ["'5 s'", "--timeout"]),
            (["--timeout", "9999999999d"], ["--timeout", "century"]),
            (["--timeout", ""], ["--timeout", "500ms"]),
            (["-o", "yaml"], ["'yaml'", "-o", ": write short, short-precise, ", "cat", "json"]),
            (["-g", "("], ["'('", "--grep", "missing )"]),
            (["-u", "a[z-a]"], ["'a[z-a]'", "--unit", "z-a"]),
            (["--user-unit", "b[z-a]"], ["'b[z-a]'", "--user-unit", "z-a"]),
            (["--from", "stdin"], ["'stdin'", "--from", "busctl-rx sources"]),
            (["--from", "export:"], ["--from", "export:-"]),
            (["--file", "a", "--directory", "b"], ["--file", "--directory", "one of them"]),
            (["--namespace", "a", "--file", "b", "--from", "export:-"], ["--namespace", "--file", "one of them"]),
            (["--file", ""], ["--file", "empty name"]),
            (["--namespace", "a", "--namespace", "b"], ["--namespace", "'a' and 'b'", "once"]),
            (["--directory", "a", "--directory", "a"], ["--directory", "once"]),
            (["--from", "export:-", "--from", "json:-"], ["one source", "standard input"]),
            (["--from", "json:"], ["'json'", "json:/var/log/app.json"]),
            (["--from", "journal:x"], ["'journal'"]),
            (["--from", "signals:TERM"], ["INT and TERM"]),
            (["--from", "signals:HUP,ODD"], ["'ODD'", "HUP,USR1"]),
            (["--from", "every:soon"], ["10s"]),
            (["--from", "calendar:soon"], ["--from"]),
            (["--from", "run:'x"], ["quote"]),
            (["--from", "every:1s", "--no-follow"], ["every", "--no-follow"]),
            (["--from", "every:1s", "-o", "export"], ["-o export", "json"]),
            (["--from", "every:1s", "--cursor-file", "a"], ["the places of journals only", "forward"]),
            (["--from", "every:1s", "-b"], ["--boot", "journal"]),
            (["--label", "every:1s"], ["web=lines:"]),
            (["--label", "a=every:1s", "--label", "a=every:2s"], ["'a'", "of its own"]),
            (["--from", "every:1s", "--skew", "web=+1s"], ["'web'", "'timer'"]),
            (["--from", "every:1s", "--skew", "timer=1s"], ["sign", "+1500ms"]),
            (["--order-window", "x"], ["--order-window", "100ms", "0"]),
            (["--template", "{a"], ["byte 1", "'}'"]),
            (["--throttle", "1s", "--debounce", "1s"], ["--throttle and --debounce"]),
            (["--by", "unit"], ["--by", "--throttle"]),
            (["-b", "xyz"], ["'xyz'", "-1 for the boot before this one"]),
            (["--rate", "10"], ["10/s"]),
            (["--before-context", "1"], ["--before-context", "filter or -g"]),
            (["--after-context", "x", "true"], ["--after-context", "whole number from 0"]),
            (["--after-context", "1", "--distinct", "true"], ["--after-context", "remove them"]),
            (["--exec", "no-such-program-here x"], ["--exec", "'no-such-program-here'", "PATH"]),
            (["--exec", "/etc/passwd"], ["--exec", "'/etc/passwd'", "be run"]),
            (["--exec", "cat 'x"], ["--exec", "quote is left open"]),
            (["--exec", "cat", "--jobs", "0"], ["--jobs", "from 1 to 256"]),
            (["--jobs", "2"], ["--jobs", "--exec"]),
            (["--exec", "cat", "--after-context", "1", "true"], ["--exec", "--after-context"]),
            (["-C", "1"], ["-C", "filter or -g"]),
            (["--context", "10001", "true"], ["'10001'", "--context", "whole number from 0"]),
            (["--highlight", "a("], ["'a('", "--highlight", "missing ): a("]), (["-g", "a("], ["missing ): a("]),
            (["-g", "x", "--highlight", "b{1001}"], ["'b{1001}'", "--highlight", "repetition"]),
            (["--highlight", ""], ["--highlight", "empty expression"]),
            (Array(repeating: "--highlight=x", count: 129), ["--highlight", "129 times", "128"]),
            (["--highlight", "x", "-o", "json"], ["--highlight", "-o json", "--template"]),
            (["--time-gap", "1m", "-o", "export"], ["--time-gap", "-o export", "--template"]),
            (["--time-gap", "1m", "-o", "logfmt"], ["--time-gap", "-o logfmt"]),
            (["--time-gap", "60"], ["'60'", "--time-gap", "10s"]),
            (["-r", "-f"], ["--reverse", "--follow", "one of them"]),
            (["-r", "--cursor-file", "a"], ["--reverse", "--cursor-file"]),
            (["-r", "--from", "export:-"], ["--reverse", "export:-", "-n 100"]),
            (["-r", "--from", "lines:a", "-n", "all"], ["--reverse", "lines:a", "-n 100"]),
            (["-r", "--from", "every:1s"], ["--reverse", "every:"]),
            (["-r", "--from", "run:ls", "-n3"], ["--reverse", "run:"]),
            (["-r", "--from", "journal", "--from", "lines:a", "-n3"], ["--reverse", "one source"]),
            (["--root", "a", "-D", "b"], ["--directory", "--root", "one of them"]),
            (["--root", ""], ["--root", "empty name"]),
            (["--root", "a", "--root", "b"], ["--root", "'a' and 'b'", "once"]),
            (["-m", "-b"], ["--boot", "--merge"]),
            (["-m", "--list-boots"], ["--list-boots", "--merge"]),
            (["--within", "1s"], ["--within", "--expect", "--for"]),
            (["--expect", "true", "--absent", "true"], ["--expect", "--absent", "one of them"]),
            (["unit", "==", "nginx.service"], ["'=='", "quotes"]),
            (["--since", "-1x"], ["'-1x'", "--since", "yesterday"]),
            (["--until", "noon"], ["'noon'", "--until", "@1700000000"]),
            (["--since", "now", "--until", "-1h"], ["--since", "--until", "later"]),
            (["-p", "eror"], ["'eror'", "-p", "did you mean err?"]),
            (["-p", "x"], ["'x'", "-p", "err", "warning..err"]), (["-o", "jsn"], ["'jsn'", "did you mean 'json'?"]),
            (["--facility", "auht"], ["did you mean auth?"]), (["--from", "jsn:x"], ["did you mean json:x?"]),
            (["-p", "8"], ["'8'", "-p"]),
            (["--facility", "auth,x"], ["'auth,x'", "--facility", "authpriv"]),
            (["--boot=yesterday"], ["'yesterday'", "--boot", "-1"]),
            (["-b", "--from", "export:-"], ["--boot", "journal"]),
            (["-u", "a[[:odd:]]"], ["'a[[:odd:]]'", "--unit", "[:odd:]"]),
            (["-I"], ["-I", "one unit", "-u"]), (["-I", "-u", "a*"], ["-I", "pattern"]),
            (["--invocation", "-1", "-u", "a", "-u", "b"], ["--invocation", "one unit"]),
            (["--invocation=x"], ["'x'", "--invocation", "-1"]), (["--invocation", "+"], ["'+'", "--invocation"]),
            (["-I", "--invocation", "1", "-u", "a"], ["-I", "--invocation", "one of them"]),
            (["-I", "-u", "a", "--from", "export:-"], ["invocation", "journal"]),
            (["-u", ""], ["--unit", "empty name"]),
            (["_PID=1", "priority <= err"], ["'priority <= err'", "FIELD=value", "one filter"]),
            (["_PID=1", "+"], ["'+'", "between"]),
            (["+", "_PID=1"], ["'+'", "between"]),
            (["__CURSOR=1"], ["'__CURSOR'", "no field"]),
            (["1A=1"], ["'1A'", "no field"]),
            (["--color", "blue"], ["'blue'", "--color", "always"]),
            (["-N", "-F", "X"], ["--fields", "--field", "one of them"]),
            (["--list-boots", "-F", "X"], ["--list-boots", "--field", "one of them"]),
            (["--list-namespaces", "-D", "/tmp"], ["--list-namespaces", "no other journal"]),
            (["--list-namespaces", "-o", "json"], ["--list-namespaces", "-o"]),
            (["--synchronize-on-exit=yes"], ["--synchronize-on-exit", "journald"]),
            (["-F", "X", "priority <= err"], ["--field", "no filter"]),
            (["-F", "X", "-p", "err"], ["--field", "no filter"]),
            (["--list-boots", "-b"], ["--list-boots", "no filter"]),
            (["--list-boots", "-f"], ["--follow"]), (["-N", "-f"], ["--follow"]),
            (["--list-boots", "-o", "cat"], ["-o cat", "-o json"]), (["-F", "X", "-o", "json"], ["--field", "-o"]),
            (["-N", "-n", "3"], ["--fields", "-n"]), (["--list-boots", "--count", "1"], ["--count", "entries"]),
            (["-F", "X", "--cursor-file", "a"], ["--cursor-file", "entries"]),
            (["--list-invocations"], ["--list-invocations", "one unit", "-u"]),
            (["--list-invocations", "-u", "a", "-p", "err"], ["--list-invocations", "no filter"]),
            (["--list-invocations", "-u", "a", "--user-unit", "b"], ["one unit"]),
            (["-F", "message"], ["'message'", "'MESSAGE'"]),
            (["-F", "unit"], ["'unit'", "'_SYSTEMD_UNIT'"]),
            (["-F", "A="], ["'A='", "not a field"]),
            (["-F", "__CURSOR"], ["'__CURSOR'", "not a field"]),
            (["--after-cursor", "x"], ["'x'", "no cursor", "s=…"]),
            (["--after-cursor", ""], ["''", "no cursor"]),
            (["--after-cursor", "s=1;i=zz"], ["'s=1;i=zz'", "no cursor"]),
            (["--cursor-file", "a", "--after-cursor", "b"], ["--cursor-file", "--after-cursor", "one of them"]),
            (["--cursor-file", ""], ["--cursor-file", "empty name"]),
            (["--show-cursor", "--from", "export:-"], ["the places of journals only"]),
            (["--show-cursor", "-o", "logfmt"], ["one journal", "cursors"]),
            (["--output-fields", ","], ["','", "--output-fields", "http.status"]),
            (["-F", "X", "--throttle", "1s"], ["--field", "no option that chooses or times"]),
            (["--list-boots", "--from", "export:-"], ["--list-boots", "stream"]),
            (["--throttle", "1s", "--by", "unti"], ["--by", "'unti'", "unit"]),
            (["--template", "{{{mesage} {time:iso} {x|y}"], ["--template", "'mesage'", "did you mean message"]),
            (["--template", "{path}", "--from", "lines:-"], ["--template", "'path'", "_PID"]),
            (["--from", "calendar:x"], ["'calendar:x'", "a number is expected", "systemd.time(7)"]),
            (["-fc"], ["unknown option '-c' in '-fc'", "--after-cursor"]),
            (["--after", "x"], ["'--after'", "--after-match"]),
            (["--vacuum-size=1G"], ["'--vacuum-size'", "use journalctl"]), (["--no-full"], ["never cut"]),
            (["-1h"], ["unknown option '-1' in '-1h'"]),
            (["-fzn5"], ["unknown option '-z' in '-fzn5'"]),
            (["-nn5"], ["'n5'", "-n 20"]), (["-n", "x"], ["'x'", "-n 20"]), (["-n", "-1"], ["'-1'", "-n 20"]),
            (["--case-sensitive=x"], ["'x'", "yes or no"]), (["-N", "-r"], ["--fields", "--reverse"]),
            (["-o", "json", "--output-fields", "unit"], ["'unit'", "'_SYSTEMD_UNIT'"]),
            (["-o", "json", "--output-fields", "MESSAGE.x"], ["'MESSAGE.x'", "not a field"]),
            (["--from", "lines:-", "--output-fields", "message.x"], ["'message.x'", "no part"]),
            (["-n", "1e3"], ["'1e3'", "-n 20"]),
            (["-n5", "-o"], ["'-o' needs a value"]),
            (["-n0", "-oyaml"], ["'yaml'", "-o"]),
            (["-1 < priority"], ["'-1 < priority'", "'--'"]),
            (["--no-follow=yes"], ["'--no-follow' takes no value"]),
            (["--count", "a\nb"], ["'a\\nb'", "--count"]),
            (["--from", "a\u{2028}\u{202E}b"], ["'a\\u2028\\u202eb'", "--from"]),
            (["--count", String(repeating: "x", count: 100_000)], ["'xxx", "[…]", "--count 3"]),
        ]
    )
    func wrongUsage(arguments: [String], words: [String]) throws {
        let ended = try TailProcess(["tail"] + arguments).end()
        #expect(ended.status == 2)
        #expect(ended.output == "")
        #expect(ended.errors.hasPrefix("busctl-rx: "))
        #expect(ended.errors.hasSuffix("See 'busctl-rx tail --help'.\n"), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 2, "\(ended.errors)")
        #expect(ended.errors.utf8.count < 5000)
        for word in words { #expect(ended.errors.contains(word), "\(ended.errors)") }
        for noise in [
            "Optional(", "Error:", "EntryCount", "DurationArgument", "OutputFormat", "SourceArgument", "RateArgument",
            "BadValue",
        ] {
            #expect(!ended.errors.contains(noise), "\(ended.errors)")
        }
    }

    @Test(
        "short options can be joined with their values and with each other",
        arguments: [
            (["-n1", "-ocat"], [2]), (["-fn2", "-ocat"], [1, 2]), (["-focat"], [0, 1, 2]),
            (["-ojson", "-ocat", "-n0", "-nall"], [0, 1, 2]),
            (["-ocat", "--no-follow", "-f", "--", "message != ''"], [0, 1, 2]),
        ]
    )
    func joined(arguments: [String], numbers: [Int]) throws {
        let ended = try TailProcess.run(["tail", "--from", "export:-"] + arguments, input: Export.numbers(0..<3))
        #expect(ended == .init(status: 0, output: Export.lines(numbers), errors: ""))
    }

    @Test("options that name a field accept every field that the source can have")
    func namedFields() throws {
        for field in ["unit", "_PID", "ANY_FIELD", "source", "severity", "priority", "message", "identifier"] {
            let named = [
                "tail", "--from", "export:-", "--distinct", "--by", field, "--template", "{\(field)|none} {{x}}",
            ]
            #expect(try TailProcess.run(named, input: Export.numbers(0..<1)).status == 0, "\(field)")
            let counted = try TailProcess.run(
                ["count", "--from", "export:-", "--by", field],
                input: Export.numbers(0..<1)
            )
            #expect(counted.status == 0, "\(field)")
        }
        let logged = ["tail", "--from", "json:-", "--template", "{took} {any-name}"]
        #expect(try TailProcess.run(logged, input: Data("{\"took\":1,\"any-name\":2}\n".utf8)).output == "1 2\n")
        let wrong = try TailProcess.run("count", "--from", "export:-", "--by", "priority,unti")
        #expect(wrong.status == 2 && wrong.errors.hasPrefix("busctl-rx: --by names 'unti', but"), "\(wrong)")
    }

    @Test(
        "an unknown command is reported, with the one that was meant",
        arguments: [("tial", "'tail'"), ("priority <= err", "tail, count")]
    )
    func noCommand(word: String, meant: String) throws {
        let ended = try TailProcess.run(word)
        #expect(ended.status == 2 && ended.output == "")
        #expect(
            ended.errors.hasPrefix("busctl-rx: '\(word)' is no command") && ended.errors.contains(meant),
            "\(ended)"
        )
    }

    @Test("-n beyond the largest number shows all entries")
    func manyLines() throws {
        let ended = try TailProcess.run(
            ["tail", "--from", "export:-", "-ocat", "-n", "9223372036854775807"],
            input: Export.numbers(0..<3)
        )
        #expect(ended == .init(status: 0, output: Export.lines(0..<3), errors: ""))
    }

    @Test(
        "of 10,000 arguments the first wrong one is named, otherwise their number",
        arguments: ["x", "-fn5", "--file=x"]
    )
    func manyArguments(argument: String) throws {
        let arguments = ["tail"] + Array(repeating: argument, count: 10_000)
        let many = try TailProcess(arguments).end()
        let count = argument == "-fn5" ? 20_000 : 10_000
        #expect(many.status == 2)
        #expect(many.errors.hasPrefix("busctl-rx: \(count) options and operands are more than the 1000 "))
        let wrong = try TailProcess(arguments + ["--bogus"]).end()
        #expect(wrong.status == 2 && wrong.errors.hasPrefix("busctl-rx: unknown option '--bogus'\n"))
    }

    @Test("a path that contains a line feed is shown in one line")
    func lineFeed() throws {
        let ended = try TailProcess.run("tail", "--file", "/no/such\nfile")
        #expect(ended.status == 3)
        #expect(ended.errors == "busctl-rx: cannot open the journal file /no/such\\nfile: No such file or directory\n")
    }

    @Test(
        "a wrong expression is refused before anything is read, with the position of the error",
        arguments: [
            ("priority <=", "line 1, column 12", 13),
            ("mesage == 'x'", "line 1, column 1", 2),
            ("message =~ '('", "line 1, column 12", 13),
            ("", "line 1, column 1", nil),
        ]
    )
    func wrongExpression(filter: String, place: String, caret: Int?) throws {
        let ended = try TailProcess.run("tail", "--file", "/no/such.journal", filter)
        #expect(ended.status == 2)
        #expect(ended.output == "")
        #expect(ended.errors.contains(place), "\(ended.errors)")
        #expect(!ended.errors.contains("such.journal"))
        if let caret {
            let lines = ended.errors.split(separator: "\n", omittingEmptySubsequences: false)
            let pointing = try #require(lines.first { $0.drop { $0 == " " }.hasPrefix("^") })
            #expect(pointing.prefix { $0 == " " }.count == caret, "\(ended.errors)")
        }
    }

    @Test("arguments that are not UTF-8 are refused, not replaced by others")
    func invalidText() throws {
        for arguments in [
            [Array("tail".utf8), [0xFF, 0xFE]],
            [Array("tail".utf8), Array("--file".utf8), Array("/tmp/".utf8) + [0xE4]],
            [Array("tail".utf8), Array("--from=export:".utf8) + [0xC3]],
            [[0x80]],
        ] {
            let ended = try TailProcess(bytes: arguments).end()
            #expect(ended.status == 2)
            #expect(ended.errors.contains("is not UTF-8"), "\(ended.errors)")
        }
    }

    @Test("control characters in a name are shown, not sent to the terminal")
    func controlCharacters() throws {
        let ended = try TailProcess.run("tail", "--file", "/no/\u{1B}[2Jsuch\u{7}file")
        #expect(ended.status == 3)
        #expect(ended.errors.contains("/no/\\x1b[2Jsuch\\x07file"))
    }

    @Test("help and version go to standard output and succeed")
    func help() throws {
        for arguments in [
            ["--help"], ["tail", "--help"], ["help", "tail"], ["--version"], [], ["tail", "--count", "x", "--help"],
            ["sources", "x", "-h"],
        ] {
            let ended = try TailProcess(arguments).end()
            #expect(ended.status == 0)
            #expect(ended.errors == "")
            #expect(!ended.output.isEmpty)
        }
        let help = try TailProcess.run("tail", "--help").output
        for option in [
            "--file", "--directory", "--namespace", "--from", "-n", "--no-follow", "-o", "--count", "--timeout", "124",
        ] {
            #expect(help.contains(option))
        }
        // The examples are whole lines that can be copied.
        #expect(help.contains("  busctl-rx tail --no-follow -o json 'pid == 1 and not has(UNIT)'\n"))
        let full = try TailProcess(["tail", "--help"], output: .file("/dev/full")).end()
        #expect(full.status == 3 && full.errors.contains("No space left on device"))
    }
}
