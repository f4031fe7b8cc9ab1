import Foundation
import JournalWriter
import Testing

@Suite("busctl-rx warns of filters on a terminal")
struct CommandLineWarningTests {
    private let stream = SyntheticJournal.export([[("MESSAGE", Array("one".utf8)), ("_UID", Array("0".utf8))]])

    /// Its messages on a terminal, which is its standard error.
    private func said(_ arguments: [String], input: Data? = nil) throws -> String {
        let folder = try TemporaryFolder()
        try (input ?? Data()).write(to: URL(fileURLWithPath: folder.path("input")))
        let terminal = try Terminal()
        let tail = try TailProcess(
            arguments,
            input: .file(folder.path("input")),
            errors: .file(terminal.path)
        )
        try tail.end()
        return terminal.read().replacing("\r\n", with: "\n")
    }

    @Test("a comparison that can never hold")
    func impossible() throws {
        let tail = ["tail", "--from", "export:-", "-o", "cat"]
        let warned = try said(tail + ["unit == 'nginx'"], input: stream)
        #expect(
            warned == """
                busctl-rx: warning: line 1, column 9: the name of a unit ends in its kind, such as .service or .socket; write \
                unit == "nginx.service"
                  unit == 'nginx'
                          ^^^^^^^

                """
        )
        #expect(try said(tail + ["unit == 'nginx.service'"], input: stream) == "")
        // Once, whatever reads it, and beside other parts of the filter; and not with -q.
        for format in ["cat", "logfmt"] {
            let tail = ["tail", "--from", "export:-", "-o", format]
            for filter in [["-p", "err", "unit == 'nginx'"], ["--expect", "unit == 'nginx'"]] {
                let isRepeated = try said(tail + filter, input: stream).ranges(of: "warning").count != 1
                #expect(!isRepeated, "\(format) \(filter)")
                #expect(try !said(tail + filter + ["-q"], input: stream).contains("warning"), "\(format) \(filter)")
            }
        }
        // A program that reads the messages gets no warnings.
        let piped = try TailProcess.run("tail", "--from", "export:-", "unit == 'nginx'", input: stream)
        #expect(piped == .init(status: 1, output: "", errors: ""))
    }

    /// A journal with an entry of each of these units.
    private func write(_ units: [String], to folder: TemporaryFolder) throws {
        var writer = JournalFileWriter(JournalFileForm())
        for (number, unit) in units.enumerated() {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number + 1),
                    realtime: 1_700_000_000_000_000 + UInt64(number),
                    monotonic: UInt64(number + 1),
                    boot: ID128(1, 1),
                    fields: ["MESSAGE=\(number)", "_SYSTEMD_UNIT=\(unit)"].map { Array($0.utf8) }
                )
            )
        }
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("system.journal")))
    }

    @Test(
        "a program, too, is told of the name of a unit that no entry can have, and none has",
        arguments: [
            ["tail", "--no-follow", "unit == 'nginx'"], ["count", "unit == 'nginx'"],
            ["count", "message == 'x' || unit in ['nginx', 'nginx.service']"],
            ["count", "message =~ 'x' || unit == 'nginx'"],
            ["tail", "--no-follow", "-o", "logfmt", "unit == 'nginx'"],
            ["tail", "--no-follow", "_SYSTEMD_UNIT=nginx"],
        ]
    )
    func noKind(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        try write(["nginx.service", "odd"], to: folder)
        let ended = try TailProcess.run(arguments + ["-D", folder.path("")], input: Data())
        // The index can be asked for all of a filter, or for nothing.
        let isAsked = !arguments.contains { $0.contains("=~") }
        #expect(
            ended.errors
                == (isAsked
                    ? """
                    busctl-rx: warning: no entry of this journal has _SYSTEMD_UNIT=nginx: the name of a unit ends in its \
                    kind, such as .service or .socket; did you mean 'nginx.service'?

                    """ : "")
        )
    }

    @Test(
        "no such warning where it is not wanted, or where there is such an entry",
        arguments: [
            ["tail", "--no-follow", "-q", "unit == 'nginx'"],
            ["tail", "--no-follow", "-q", "-o", "logfmt", "unit == 'nginx'"],
            ["tail", "--no-follow", "unit == 'odd'"], ["count", "unit == 'odd'"],
            ["tail", "--no-follow", "unit != 'nginx'"], ["count", "unit == 'nginx.service'"],
        ]
    )
    func kind(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        try write(["nginx.service", "odd"], to: folder)
        #expect(try TailProcess.run(arguments + ["-D", folder.path("")], input: Data()).errors == "")
        // Nothing is known of an empty journal.
        let empty = try TemporaryFolder()
        try write([], to: empty)
        #expect(try TailProcess.run(["count", "unit == 'nginx'", "-D", empty.path("")], input: Data()).errors == "")
    }

    @Test(
        "a field that no entry has",
        .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
    )
    func missing() throws {
        let journal = try SyntheticJournal(messages: 3)
        let tail = ["tail", "--file", journal.path, "--no-follow", "-o", "cat"]
        #expect(
            try said(tail + ["identifier == 'x' || _SYSTEMD_UNT == 'x'"]) == """
                busctl-rx: warning: line 1, column 22: no entry of this journal has a field _SYSTEMD_UNT; did you mean \
                _SYSTEMD_UNIT?
                  identifier == 'x' || _SYSTEMD_UNT == 'x'
                                       ^^^^^^^^^^^^

                """
        )
        // A field of the journal, a common field that is only missing so far, and a journal without entries.
        #expect(try said(tail + ["SYSLOG_IDENTIFIER == 'x'"]) == "")
        #expect(try said(tail + ["has(COREDUMP_EXE)"]) == "")
        let directory = try TemporaryFolder()
        let empty = ["tail", "--directory", directory.path("")]
        #expect(try !said(empty + ["--timeout", "1ms", "_SYSTEMD_UNT == 'x'"]).contains("warning"))
    }

    @Test("no warning about a journal of which a part cannot be read")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: folder.path("broken.journal")))
        let said = try said(["tail", "--directory", folder.path(""), "--timeout", "1ms", "_SYSTEMD_UNT == 'x'"])
        #expect(!said.contains("warning"), "\(said)")
    }

    @Test(
        "Local is the machine's time zone",
        arguments: [("UTC", 22), ("Europe/Berlin", 23), (":Asia/Tokyo", 7), ("XXX-2", 0), ("XXX5YYY", 17)]
    )
    func local(zone: String, hour: Int) throws {
        let ended = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "-o",
            "cat",
            "time.getHours('Local') == \(hour)",
            input: stream,
            environment: ["TZ": zone]
        )
        #expect(ended == .init(status: 0, output: "one\n", errors: ""))
    }

    @Test("a filter for local times is refused if TZ is not a time zone")
    func noLocalZone() throws {
        let ended = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "time.getHours('Local') == 1",
            input: stream,
            environment: ["TZ": "No/Such_Zone"]
        )
        #expect(ended.status == 2)
        #expect(
            ended.errors.contains("there is no time zone file /usr/share/zoneinfo/No/Such_Zone; see"),
            "\(ended.errors)"
        )
    }

    @Test("a user's name is a number")
    func user() throws {
        let found = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", "uid == 'root'", input: stream)
        #expect(found == .init(status: 0, output: "one\n", errors: ""))
        let explained = try TailProcess.run("explain", "uid in ['root', 'root']")
        #expect(explained.output.contains("Asked of the index: _UID=0\n"), "\(explained.output)")
    }
}
