import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

@Suite("busctl-rx count")
struct CommandLineCountTests {
    private let log = """
        {"time":"2026-11-23T10:00:01Z","level":"error","path":"/a","msg":"x"}
        {"time":"2026-11-23T10:00:02Z","level":"info","path":"/b","msg":"x"}
        {"time":"2026-11-23T10:02:59.5Z","level":"info","path":"/a","msg":"x"}
        {"time":"2026-11-23T10:02:00Z","level":"info","path":"c,\\"d\\u001b","msg":"x"}
        {"time":"2026-11-23T10:00:59.999Z","level":"info","msg":"x"}

        """

    private func count(_ arguments: String..., input: String? = nil) throws -> TailProcess.Ended {
        try TailProcess.run(["count", "--from", "json:-"] + arguments, input: Data((input ?? log).utf8))
    }

    @Test("one number: how many records the filter selects")
    func number() throws {
        #expect(try count() == .init(status: 0, output: "5\n", errors: ""))
        #expect(try count("level == 'info'").output == "4\n")
        #expect(try count("level == 'none'") == .init(status: 1, output: "0\n", errors: ""))
    }

    @Test("no number, if a source is not there or is lost", arguments: ["table", "json", "csv"])
    func lost(format: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.json")
        try log.write(toFile: path, atomically: false, encoding: .utf8)
        for sources in [
            ["--file", folder.path("none.journal")], ["--from", "json:\(path)", "--from", "json:\(path).none"],
        ] {
            for options in [[], ["--by", "source"], ["--every", "1h"]] {
                let ended = try TailProcess.run(["count", "-o", format] + sources + options)
                #expect(ended.status == 3 && !ended.errors.isEmpty, "\(ended)")
                #expect(ended.output == "", "\(sources) \(options)")
            }
        }
    }

    @Test("a table by fields, the most frequent first; a value cannot control a terminal")
    func fields() throws {
        let byLevel = try count("--by", "level")
        #expect(byLevel.output == "COUNT   SHARE  LEVEL\n    4   80.0%  info\n    1   20.0%  error\n")
        let byBoth = try count("--by", "severity,path")
        let rows = [
            "err  /a", "info  -", "info  /a", "info  /b", "info  c,\"d\\x1b",
        ].map { "    1   20.0%  \($0)" }
        #expect(byBoth.output.split(separator: "\n").dropFirst().map(String.init).sorted() == rows.sorted())
        #expect(
            try count("--by", "level", "--top", "1").output
                == "COUNT   SHARE  LEVEL\n    4   80.0%  info\n    1   20.0%  (others)\n"
        )
    }

    @Test("a part of a field counts, and a name that no record can have is refused")
    func paths() throws {
        let log = #"{"http":{"status":500},"x.y":1}"# + "\n" + #"{"http":{"status":200},"x.y":1}"# + "\n"
        for path in ["http.status", "http[\"status\"]"] {
            let counted = try count("--by", path, "-o", "json", input: log).output
            #expect(
                counted.contains(":\"500\",\"count\":1}") && counted.contains(":\"200\",\"count\":1}"),
                "\(counted)"
            )
        }
        #expect(try count("--by", "x.y", input: log).output == "COUNT   SHARE  X.Y\n    2  100.0%  1\n")
        #expect(try count("--by", "sequence,late", input: log).output.contains("1   50.0%  2  false\n"))
        for (path, word) in [
            ("message.x", "no part"), ("a b", "no such field"), ("k8s.pod", "no such field"), ("a[", "']'"),
        ] {
            let ended = try TailProcess.run("count", "--from", "lines:-", "--by", path)
            #expect(ended.status == 2 && ended.output == "", "\(path)")
            #expect(ended.errors.contains("'\(path)'") || ended.errors.contains(word), "\(ended.errors)")
        }
    }

    @Test("a histogram over time, including the empty spans")
    func histogram() throws {
        let ended = try count("--every", "1m", "--utc")
        let lines = ended.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        #expect(lines[0].hasPrefix("2026-11-23T10:00:00+00:00  3  ####") && lines[1] == "2026-11-23T10:01:00+00:00  0")
        #expect(lines[2].hasPrefix("2026-11-23T10:02:00+00:00  2  ####"))
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("how each value went over time, on one scale")
    func courses() throws {
        let ended = try count("--by", "level", "--every", "1m", "--utc")
        #expect(
            ended.output == """
                COUNT   SHARE  COURSE  LEVEL
                    4   80.0%  # #     info
                    1   20.0%  =       error
                Each column is 1min, from 2026-11-23T10:00:00+00:00 on; a full one is 2.

                """
        )
        let narrow = try count("--by", "level", "--every", "1s", "--top", "1", "--utc").output
        let lines = narrow.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[1].hasSuffix("  info") && lines[2].hasSuffix("  (others)") && lines[1].count <= 80, "\(narrow)")
        #expect(
            lines[3].hasPrefix("Each column is 5s, from 2026-11-23T10:00:01+00:00 on; a full one is 1."),
            "\(narrow)"
        )
    }

    @Test("the same as JSON and as CSV")
    func objects() throws {
        let json = try count("--by", "level", "--every", "1m", "-o", "json").output
        #expect(
            json == #"{"time":"2026-11-23T10:00:00.000000Z","level":"info","count":2}"# + "\n"
                + #"{"time":"2026-11-23T10:00:00.000000Z","level":"error","count":1}"# + "\n"
                + #"{"time":"2026-11-23T10:02:00.000000Z","level":"info","count":2}"# + "\n"
        )
        let csv = try count("--by", "path", "-o", "csv", "path.startsWith('c') || !has(record.path)").output
        #expect(csv == "path,count\n,1\n\"c,\"\"d\u{1B}\",1\n")
        #expect(try count("-o", "json").output == "{\"count\":5}\n")
        #expect(try count("-o", "csv").output == "count\n5\n")
    }

    @Test("a journal, by its own fields", .enabled(if: SyntheticJournal.isAvailable))
    func journal() throws {
        let journal = try SyntheticJournal.large()
        let number = try TailProcess(["count", "--file", journal.path]).end()
        #expect(number == .init(status: 0, output: "20000\n", errors: ""))
        let table = try TailProcess(["count", "--file", journal.path, "--by", "priority", "-o", "json"]).end()
        let sum = try table.output.split(separator: "\n").reduce(0) { sum, line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return sum + (try #require(object?["count"] as? Int))
        }
        #expect(sum == 20_000)
    }

    @Test("when following, a span's rows are written when it is over; a signal writes the rest")
    func following() throws {
        let process = try TailProcess(["count", "-f", "--from", "every:10ms", "--every", "50ms", "-o", "csv"])
        try process.wait(forOutput: "time,count\n20")
        process.send(SIGINT)
        let ended = try process.end()
        #expect(ended.status == -SIGINT && ended.errors == "")
        let rows = ended.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        #expect(!rows.isEmpty && rows.allSatisfy { $0.count == 2 && Int($0[1]).map { $0 > 0 } ?? false })
    }

    @Test("a signal ends it even if nobody reads its output")
    func unread() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("log.json")
        try (0..<20_000).map { "{\"k\":\"\($0)\"}\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
        let process = try TailProcess(["count", "--from", "json:\(path)", "--by", "k", "-o", "json"])
        try process.waitUntilOutputIsFull()
        process.send(SIGTERM)
        #expect(try process.end(reading: false).status == -SIGTERM)
    }

    @Test("it ends when the reader of its output goes away")
    func closed() throws {
        let process = try TailProcess(["count", "-f", "--from", "every:10ms", "--every", "10ms", "-o", "csv"])
        try process.wait(forOutput: "time,count\n20")
        process.closeOutput()
        #expect(try process.end().status == 0)
    }

    @Test(
        "errors in typed options",
        arguments: [
            (["--by", "a,,b"], ["--by"]), (["--every", "soon"], ["10s"]), (["-o", "xml"], ["'xml'", "csv"]),
            (["--from", "every:1s"], ["every", "-f"]), (["--top", "0"], ["--top"]), (["a", "b"], ["single quotes"]),
            (["-b", "--from", "json:-"], ["--boot"]),
        ]
    )
    func usage(arguments: [String], words: [String]) throws {
        let ended = try TailProcess(["count"] + arguments).end()
        #expect(ended.status == 2 && ended.output == "")
        for word in words { #expect(ended.errors.contains(word), "\(ended.errors)") }
        #expect(ended.errors.hasSuffix("See 'busctl-rx count --help'.\n"))
    }
}
