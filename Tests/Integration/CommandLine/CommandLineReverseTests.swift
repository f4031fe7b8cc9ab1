import Foundation
import JournalBridge
import JournalWriter
import TestSupport
import Testing

/// The newest first. For journals, journalctl determines the expected order.
@Suite(
    "busctl-rx tail --reverse",
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd")
)
struct CommandLineReverseTests {
    private static let start: UInt64 = 1_700_000_000_000_000
    private static let boots = [ID128(1, 1), ID128(2, 1), ID128(3, 1)]

    /// 60 entries of three boots, a second apart. Both files contain the second boot.
    private static func journal() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let entries = (0..<60).map { number -> JournalFileEntry in
            let name = ["a", "b", "c"][number % 3]
            let fields: [String] = [
                "_BOOT_ID=\(boots[number / 20])", "MESSAGE=number \(number)", "PRIORITY=\(number % 8)",
                "SYSLOG_IDENTIFIER=\(name)",
            ]
            return JournalFileEntry(
                sequence: UInt64(number + 1),
                realtime: start + UInt64(number) * 1_000_000,
                monotonic: UInt64(number % 20 + 1) * 1_000_000,
                boot: boots[number / 20],
                fields: fields.map { Array($0.utf8) }
            )
        }
        for (name, part) in [("0", entries[..<30]), ("1", entries[30...])] {
            var form = JournalFileForm()
            form.fileID = ID128(UInt64(part.startIndex + 1), 1)
            var writer = JournalFileWriter(form)
            for entry in part { writer.append(entry) }
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("\(name).journal")))
        }
        return folder
    }

    private func compare(_ arguments: [String], sortingBytes: Bool = false) throws {
        let theirs = try Command.run("/usr/bin/env", ["TZ=UTC", "LANG=C", "journalctl", "-r"] + arguments)
        let ours = try TailProcess.run(["tail", "-r"] + arguments)
        let text = String(decoding: theirs.output, as: UTF8.self)
        let expected = text == "-- No entries --\n" ? "" : text
        if sortingBytes {
            #expect(ours.output.utf8.sorted() == expected.utf8.sorted())
        } else {
            #expect(ours.output == expected)
        }
        #expect(ours.errors == "" && ours.status == (expected.isEmpty ? 1 : 0))
    }

    @Test(
        "a format is journalctl's, including the lines between boots",
        arguments: [JournalFormat.short, .shortDelta, .verbose, .export, .cat, .json]
    )
    func formats(format: JournalFormat) throws {
        let folder = try Self.journal()
        // The order of JSON members differs.
        let isJSON = format.rawValue.hasPrefix("json")
        try compare(["-D", folder.path, "-n", "45", "-o", format.rawValue], sortingBytes: isJSON)
        if isJSON {
            let ours = try TailProcess.run("tail", "-r", "-D", folder.path, "-n2", "-o", format.rawValue).output
            let numbers = try ["59", "58"].map { try #require(ours.firstRange(of: "number \($0)")).lowerBound }
            #expect(numbers == numbers.sorted())
        }
    }

    @Test(
        "journalctl's options choose the same entries in the same order",
        arguments: [
            [], ["-n", "0"], ["-n", "all", "-t", "b"], ["-n3", "-p", "err"], ["-U", "@1700000030.5", "-n2"],
            ["-S", "@1700000018", "-U", "@1700000041"], ["-S", "@1700000050", "-t", "c", "-n5"],
            ["-S", "@1800000000"], ["-S", "@1700000010.2", "-U", "@1700000010.8"], ["-b", "-1", "-g", "number 3[35]$"],
            ["SYSLOG_IDENTIFIER=a", "+", "PRIORITY=1"], ["-m", "-n", "30"],
        ]
    )
    func choosing(arguments: [String]) throws {
        let folder = try Self.journal()
        try compare(["-D", folder.path, "-o", "short-unix"] + arguments)
    }

    @Test("random journals are shown in journalctl's order")
    func random() throws {
        let seed = Stress.isAsked ? UInt64.random(in: 0...UInt64.max) : 0
        for offset in 0..<UInt64(Stress.rounds(4, stress: 40)) {
            let journals = JournalComparison(seed: seed &+ offset).journals
            let folder = try TemporaryFolder()
            let files = try journals.write(to: folder).flatMap { ["--file", $0] }
            let theirs = try Command.run("/usr/bin/journalctl", ["-q", "-r", "-o", "export"] + files).output
            let ours = try TailProcess(["tail", "-r", "-o", "export"] + files).end()
            #expect(
                Data(ours.output.utf8) == Data(String(decoding: theirs, as: UTF8.self).utf8),
                "seed \(seed &+ offset)"
            )
        }
    }

    @Test("--after-cursor continues where --show-cursor ended")
    func pages() throws {
        let folder = try Self.journal()
        let first = try TailProcess.run("tail", "-r", "-D", folder.path, "-ocat", "-n", "2", "--show-cursor")
        let lines = first.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.prefix(2) == ["number 59", "number 58"])
        let cursor = try #require(lines.last?.split(separator: " ").last.map(String.init))
        try compare(["-D", folder.path, "-ocat", "-n", "3", "--after-cursor", cursor])
        let behind = try TailProcess.run("tail", "-r", "-D", folder.path, "-ocat", "-n", "2", "--after-cursor", cursor)
        #expect(behind.output == "number 57\nnumber 56\n")
    }

    @Test("--count, templates and options on records take the newest records first")
    func records() throws {
        let folder = try Self.journal()
        let source = ["tail", "-r", "-D", folder.path]
        #expect(try TailProcess.run(source + ["-ocat", "--count", "2", "-n5"]).output == "number 59\nnumber 58\n")
        #expect(try TailProcess.run(source + ["--template", "{message}", "-n2"]).output == "number 59\nnumber 58\n")
        let until = ["-ocat", "--until-match", "message == 'number 57'"]
        #expect(try TailProcess.run(source + until).output == "number 59\nnumber 58\nnumber 57\n")
        let range = ["-S", "@1700000003", "-U", "@1700000005", "--template", "{message}"]
        #expect(try TailProcess.run(source + range).output == "number 5\nnumber 4\nnumber 3\n")
    }

    @Test("the newest records of a stream or file that ends", arguments: ["export", "lines", "json"])
    func streams(kind: String) throws {
        let input =
            switch kind {
            case "export": Export.numbers(0..<20)
            case "lines": Data(Export.lines(0..<20).utf8)
            default: Data((0..<20).map { "{\"message\":\"number \($0)\"}\n" }.joined().utf8)
            }
        let folder = try TemporaryFolder()
        try input.write(to: URL(fileURLWithPath: folder.path("input")))
        let expected = TailProcess.Ended(status: 0, output: "number 19\nnumber 18\nnumber 17\n", errors: "")
        for source in ["\(kind):-", "\(kind):\(folder.path("input"))"] {
            let tail = ["tail", "-r", "--from", source, "-ocat", "-n3"]
            #expect(try TailProcess.run(tail, input: input) == expected)
            #expect(try TailProcess.run(tail + ["true"], input: input) == expected)
            #expect(try TailProcess.run(tail + ["--count", "1"], input: input).output == "number 19\n")
        }
    }

    @Test("the context of a match is the same in either order")
    func context() throws {
        let folder = try Self.journal()
        let around = [
            "-D", folder.path, "-ocat", "--before-context", "2", "--after-context", "1", "-g", "number (10|12|30)$",
        ]
        let onward = try TailProcess.run(["tail", "--no-follow"] + around).output.split(separator: "\n")
        let back = try TailProcess.run(["tail", "-r"] + around).output.split(separator: "\n")
        #expect(onward.count == 11 && back == onward.reversed())
    }
}
