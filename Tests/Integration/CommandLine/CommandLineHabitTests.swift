import Foundation
import Glibc
import TestSupport
import Testing

/// Options and words that people type from habit, of journalctl above all.
@Suite("busctl-rx takes what people are used to type")
struct CommandLineHabitTests {
    private static let log = (0..<12).map { "{\"time\":\"2026-11-26T10:00:\(10 + $0)Z\",\"msg\":\"line \($0)\"}\n" }
        .joined()

    private func tail(_ arguments: String...) throws -> TailProcess.Ended {
        try TailProcess.run(
            ["tail", "--from", "json:-", "--no-follow", "-o", "cat"] + arguments,
            input: Data(Self.log.utf8)
        )
    }

    @Test(
        "options that journalctl has, and that change nothing here",
        arguments: ["-a", "--all", "-l", "--full", "-q", "--quiet"]
    )
    func accepted(option: String) throws {
        #expect(try tail(option) == tail())
        #expect(try tail("-n2", option).output == "line 10\nline 11\n")
    }

    @Test("--truncate-newline shows the first line of a message, in lines alone")
    func truncation() throws {
        let size = withUnsafeBytes(of: UInt64(7).littleEndian) { Data($0) }
        let start = Data("__REALTIME_TIMESTAMP=1\nMESSAGE\n".utf8)
        let export = start + size + Data("one\ntwo\n_HOSTNAME=here\nSYSLOG_IDENTIFIER=me\n\n".utf8)
        func lines(_ arguments: String...) throws -> String {
            try TailProcess.run(["tail", "--utc", "--no-follow"] + arguments, input: export).output
        }
        let line = "Jan 01 00:00:00 here me: "
        #expect(try lines("--from", "export:-") == "\(line)one\n\(String(repeating: " ", count: 25))two\n")
        #expect(try lines("--from", "export:-", "--truncate-newline") == "\(line)one\n")
        #expect(try lines("--from", "export:-", "--truncate-newline", "-W") == "Jan 01 00:00:00 me: one\n")
        #expect(try lines("--from", "export:-", "--truncate-newline", "-o", "cat") == "one\ntwo\n")
        let json = Data(#"{"time":"1970-01-01T00:00:00Z","message":"one\ntwo"}"#.utf8)
        let ended = try TailProcess.run(
            ["tail", "--from", "json:-", "--no-follow", "--utc", "--truncate-newline"],
            input: json
        )
        #expect(ended.output == "Jan 01 00:00:00 json: one\n")
    }

    @Test("-n without a number is 10, and --no-tail is all")
    func lines() throws {
        for words in [["-n"], ["--lines"], ["-n", "-q"], ["-n", "message != ''"], ["-qn"]] {
            let ended = try TailProcess.run(
                ["tail", "--from", "json:-", "--no-follow", "-o", "cat"] + words,
                input: Data(Self.log.utf8)
            )
            #expect(ended.output.hasPrefix("line 2\n") && ended.output.hasSuffix("line 11\n"), "\(words): \(ended)")
        }
        #expect(try tail("-n", "3", "--no-tail").output.hasPrefix("line 0\n"))
        #expect(try tail("-n", "3").output.hasPrefix("line 9\n"))
    }

    @Test("--case-sensitive decides what -g finds")
    func cases() throws {
        #expect(try tail("-g", "LINE 1$").status == 1)
        #expect(try tail("-g", "LINE 1$", "--case-sensitive=no").output == "line 1\n")
        #expect(try tail("-g", "Line 1$", "--case-sensitive=false").output == "line 1\n")
        #expect(try tail("-g", "line 1$", "--case-sensitive").output == "line 1\n")
        #expect(
            try TailProcess.run(
                ["tail", "--from", "lines:-", "--no-follow", "-o", "cat", "-g", "abc", "--case-sensitive"],
                input: Data("ABC\nabc\n".utf8)
            ).output == "abc\n"
        )
    }

    @Test("-a writes text with control characters as it is")
    func whole() throws {
        let entry = Data(
            "__REALTIME_TIMESTAMP=1700000000000000\nMESSAGE\n\u{7}\0\0\0\0\0\0\0a\u{1}b\u{7}c\u{2}d\n\n".utf8
        )
        let words = ["tail", "--from", "export:-", "--no-follow", "--utc"]
        #expect(try TailProcess.run(words, input: entry).output.hasSuffix(": [7B blob data]\n"))
        #expect(try TailProcess.run(words + ["-a"], input: entry).output.hasSuffix(": a\u{1}b\u{7}c\u{2}d\n"))
        let verbose = try TailProcess.run(words + ["-a", "-o", "verbose"], input: entry).output
        #expect(verbose.contains("    MESSAGE=a\u{1}b\u{7}c\u{2}d\n"))
    }

    @Test("help as a value lists the values")
    func lists() throws {
        let formats = try TailProcess.run("tail", "-o", "help")
        #expect(formats.status == 0 && formats.output.hasPrefix("short\n") && formats.output.hasSuffix("\nlogfmt\n"))
        #expect(try TailProcess.run("count", "--output=help").output == "table\njson\ncsv\n")
        let facilities = try TailProcess.run("tail", "--facility=help")
        #expect(
            facilities.status == 0 && facilities.output.hasPrefix("kern\n") && facilities.output.hasSuffix("local7\n")
        )
    }

    @Test("an option without its command is answered with the command")
    func command() throws {
        for (words, meant) in [
            (["-u", "nginx"], "busctl-rx tail -u"), (["--since=today"], "busctl-rx tail --since=today"),
            (["--json"], "busctl-rx inspect --json"), (["-n5"], "busctl-rx tail -n5"),
        ] {
            let ended = try TailProcess.run(words)
            #expect(ended.status == 2 && ended.output == "" && ended.errors.contains(meant), "\(ended)")
        }
        #expect(try TailProcess.run("--bogus").errors.contains("--bogus"))
        for word in ["--help", "-h", "--version"] { #expect(try TailProcess.run(word).status == 0) }
    }

    @Test("a source that stands where a filter is expected is answered with its option", arguments: ["tail", "count"])
    func sourceAsFilter(_ command: String) throws {
        let ended = try TailProcess.run(command, "lines:/var/log/a")
        #expect(ended.status == 2 && ended.output.isEmpty)
        #expect(ended.errors.hasSuffix("busctl-rx: a source is named with an option: --from 'lines:/var/log/a'\n"))
    }

    @Test("--file takes a pattern; a file of that very name comes first")
    func patterns() throws {
        let folder = try TemporaryFolder()
        for name in ["a/x.log", "b/x.log", "b/y.log", "[b]/x.log"] {
            let path = folder.path(name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try Data("no journal".utf8).write(to: URL(fileURLWithPath: path))
        }
        // The error names the file that was found.
        for (pattern, found) in [("?/y.log", "b/y.log"), ("[b]/x.log", "[b]/x.log"), ("*/z.log", "*/z.log")] {
            for words in [["--file", folder.path(pattern)], ["--from", "file:\(folder.path(pattern))"]] {
                let ended = try TailProcess.run(["tail", "--no-follow"] + words)
                #expect(ended.status == 3 && ended.errors.contains(folder.path(found)), "\(ended)")
            }
        }
    }

    @Test("a compressed log is refused with the command that reads it")
    func compressed() throws {
        let folder = try TemporaryFolder()
        for (magic, program) in [
            ([0x1F, 0x8B, 8], "zcat"), ([0x28, 0xB5, 0x2F, 0xFD], "zstdcat"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xzcat"),
        ] as [([UInt8], String)] {
            let path = folder.path(program)
            try Data(magic + [0, 1, 2]).write(to: URL(fileURLWithPath: path))
            for kind in ["lines", "json", "logfmt"] {
                let ended = try TailProcess.run("tail", "--from", "\(kind):\(path)")
                #expect(ended.status == 3 && ended.output == "", "\(ended)")
                #expect(
                    ended.errors.contains("\(program) \(path) | ") && ended.errors.contains("\(kind):-"),
                    "\(ended)"
                )
            }
        }
    }

    @Test("a line without a time has that of the line before it, so that the order of a file stays")
    func order() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.json")
        let broken =
            #"{"time":"2026-11-26T10:00:00Z","msg":"a"}"# + "\nbroken\n" + #"{"msg":"none"}"# + "\n"
            + #"{"time":"2026-11-26T10:00:01Z","msg":"b"}"# + "\n"
        try broken.write(toFile: path, atomically: false, encoding: .utf8)
        for source in ["json:\(path)", "json:-"] {
            let ended = try TailProcess.run(
                "tail",
                "--from",
                source,
                "--no-follow",
                "--template",
                "{time:utc} {message}",
                input: Data(broken.utf8)
            )
            let expected = [("00", "a"), ("00", "broken"), ("00", "none"), ("01", "b")]
            #expect(ended.output == expected.map { "2026-11-26T10:00:\($0).000000Z \($1)\n" }.joined(), "\(ended)")
        }
    }

    @Test("of a command -o cat shows what it writes")
    func child() throws {
        let run = ["tail", "--no-follow", "-o", "cat", "--from", "run:sh -c 'echo out; exit 3'"]
        #expect(try TailProcess.run(run).output == "out\n")
        let ended = try TailProcess.run(run + ["stream == 'end'"])
        #expect(ended.output == "exited with 3\n", "\(ended)")
        #expect(try TailProcess.run(["count"] + run.suffix(2)).output == "3\n")
    }

    @Test("--top shortens a table, with --every by what there is in all spans together")
    func top() throws {
        let log = [
            "00:00Z\",\"u\":\"a", "00:01Z\",\"u\":\"a", "00:02Z\",\"u\":\"b", "00:03Z\",\"u\":\"c",
            "02:00Z\",\"u\":\"c",
        ]
        .map { "{\"time\":\"2026-11-26T10:\($0)\"}\n" }.joined()
        let words = ["count", "--from", "json:-", "--by", "u", "--every", "1m", "--top", "1", "--utc"]
        let rows = try TailProcess.run(words, input: Data(log.utf8)).output.split(separator: "\n").dropFirst()
        #expect(
            rows.map(String.init) == [
                "    2   40.0%  #       a", "    3   60.0%  # =     (others)",
                "Each column is 1min, from 2026-11-26T10:00:00+00:00 on; a full one is 2.",
            ]
        )
    }

    @Test("a tap may be named by the path of its socket, relative to where one is")
    func tap() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("own.tap")))
        let script = "cd '\(folder.path)' && '\(TailProcess.program)' inspect \"$1\""
        for (name, status) in [("own.tap", 3), ("other.tap", 2)] {
            let ended = try TailProcess(["-c", script, "sh", name], program: "/bin/sh").end()
            #expect(ended.status == Int32(status), "\(ended)")
        }
    }

    @Test("--by completes the fields of what is read")
    func completion() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.json")
        try "{\"http\":{\"status\":1},\"path\":2}\n".write(toFile: path, atomically: false, encoding: .utf8)
        func completed(_ words: String...) throws -> [Substring] {
            try TailProcess.run(["---complete"] + words).output.split(separator: "\n").map { $0.dropLast() }
        }
        #expect(try completed("count", "--from", "json:\(path)", "--by", "ht") == ["http"])
        #expect(try completed("count", "--from", "json:\(path)", "--by", "http,pa") == ["http,path"])
        #expect(try completed("tail", "--from", "dbus:system", "--by", "mem") == ["member"])
        #expect(try completed("count", "--by", "ident") == ["identifier"])
    }
}
