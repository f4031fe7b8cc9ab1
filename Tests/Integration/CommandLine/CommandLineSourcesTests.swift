import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

@Suite("busctl-rx tail reads every source")
struct CommandLineSourcesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String], input: String = "") throws -> TailProcess.Ended {
        try TailProcess.run(["tail"] + arguments, input: Data(input.utf8))
    }

    @Test("lines of JSON: lines that are not JSON are shown and counted")
    func json() throws {
        let input = """
            {"time":"2026-11-23T10:00:00Z","level":"error","message":"boom","request":{"status":502}}
            not json
            {"ts":1700000000.5,"msg":"fine","level":30}
            """
        let all = try run(["--from", "json:-", "-o", "cat"], input: input)
        #expect(all.output == "boom\nnot json\nfine\n" && all.status == 0)
        #expect(all.errors == "busctl-rx: json: line 2 is not of the format that was expected, and is taken for text\n")
        let some = try run(
            ["--from", "json:-", "-o", "json", "severity <= err && request.status >= 500"],
            input: input
        )
        let object = try JSONSerialization.jsonObject(with: Data(some.output.utf8)) as? [String: Any]
        #expect(object?["message"] as? String == "boom" && object?["severity"] as? String == "err")
        #expect(try run(["--from", "json:-", "request.status == 1"], input: input).status == 1)
        #expect(try run(["--from", "json:-", "-o", "cat", "-n", "1"], input: input).output == "fine\n")
    }

    @Test("logfmt and plain lines")
    func text() throws {
        let logfmt = try run(
            ["--from", "logfmt:-", "--template", "{time:utc} {severity} {message} {status}", "status >= 500"],
            input: "time=2026-11-23T10:00:00Z level=warn msg=\"too long\" status=504\nlevel=info status=200 msg=ok\n"
        )
        #expect(logfmt.output == "2026-11-23T10:00:00.000000Z warning too long 504\n")
        let lines = try run(["--from", "lines:-", "-o", "cat", "message.startsWith('b')"], input: "a\nb\n\nbc")
        #expect(lines.output == "b\nbc\n")
    }

    @Test("a log file: its last lines, then new ones, through a rotation and a truncation")
    func file() throws {
        let path = folder.path("app.log")
        func append(_ text: String) throws {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
        }
        try (1...30).map { "\($0)\n" }.joined().write(toFile: path, atomically: false, encoding: .utf8)
        let process = try TailProcess(["tail", "--from", "lines:\(path)", "-o", "cat"])
        try process.wait(forOutput: (21...30).map { "\($0)\n" }.joined())
        try append("31\n3")
        try append("2\n")
        try process.wait(forOutput: "31\n32\n")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        try "33\n".write(toFile: path, atomically: false, encoding: .utf8)
        try process.wait(forOutput: "32\n33\n")
        #expect(truncate(path, 0) == 0)
        try append("x\n")
        try process.wait(forOutput: "33\nx\n")
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.output == (21...33).map { "\($0)\n" }.joined() + "x\n" && ended.status == -SIGTERM)
        let newest = try run([
            "--from", "lines:\(path).1", "-n", "3", "--no-follow", "-o", "cat", "message.endsWith('2')",
        ])
        #expect(newest.output == "12\n22\n32\n" && newest.status == 0)
        let missing = try run(["--from", "lines:\(folder.path("none"))", "--no-follow"])
        #expect(missing.status == 3 && missing.errors.contains("none"))
    }

    @Test("signals sent by another process")
    func signals() throws {
        let process = try TailProcess([
            "tail", "--from", "signals:HUP,USR1", "--from", "every:100ms", "-o", "cat",
            "source == 'signal' && number in [SIGHUP, SIGUSR1] || index >= 0",
        ])
        try process.wait(forOutput: "tick ")
        process.send(SIGUSR1)
        try process.wait(forOutput: "SIGUSR1 from process \(getpid())")
        process.send(SIGHUP)
        try process.wait(forOutput: "SIGHUP from process \(getpid())")
        process.send(SIGTERM)
        #expect(try process.end().status == -SIGTERM)
    }

    @Test("a command: its two outputs, its end, and the end of the run")
    func child() throws {
        let command = "run:sh -c 'echo out; echo err >&2; exit 3'"
        let ended = try run([
            "--from", command, "--template", "{source} {severity} {stream}: {message}", "stream != 'start'",
        ])
        let lines = Set(ended.output.split(separator: "\n"))
        #expect(lines == ["child info output: out", "child warning errors: err", "child err end: exited with 3"])
        let missing = try run(["--from", "run:/no/such/program"])
        #expect(
            missing.status == 3 && missing.errors.contains("child: ") && missing.errors.contains("/no/such/program")
        )
    }

    @Test("changes of files")
    func changes() throws {
        let process = try TailProcess([
            "tail", "--from", "changes:\(folder.path(""))", "--from", "every:100ms", "-o", "cat",
            "change == 'created' || index >= 0",
        ])
        try process.wait(forOutput: "tick ")
        try "x".write(toFile: folder.path("new.conf"), atomically: false, encoding: .utf8)
        try process.wait(forOutput: "new.conf\n")
        process.send(SIGTERM)
        #expect(try process.end().status == -SIGTERM)
    }

    @Test("changes of one file have its path")
    func changesOfFile() throws {
        let file = folder.path("one.conf")
        try "x".write(toFile: file, atomically: false, encoding: .utf8)
        let process = try TailProcess([
            "tail", "--from", "changes:\(file)", "--from", "every:100ms", "-o", "cat",
            "path == \"\(file)\" || index >= 0",
        ])
        try process.wait(forOutput: "tick ")
        try "y".write(toFile: file, atomically: false, encoding: .utf8)
        try process.wait(forOutput: "closed \(file)\n")
        process.send(SIGTERM)
        #expect(try process.end().status == -SIGTERM)
    }

    @Test(
        "a journal and lines are ordered by their times, and a skew shifts one of them",
        .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
    )
    func ordered() throws {
        var journal = try GrowingJournal(folder.path("a.journal"))
        try journal.append(1...10)
        let times = try run([
            "--file", folder.path("a.journal"), "--no-follow", "--template", "{time:utc}",
        ]).output.split(separator: "\n").map(String.init)
        try #require(times.count == 10)
        let input = times.map { #"{"time":"\#($0)","msg":"line"}"# + "\n" }.joined()
        let arguments = [
            "--file", folder.path("a.journal"), "--from", "json:-", "--no-follow", "--template", "{source}",
        ]
        let pairs = String(repeating: "journal\njson\n", count: 10)
        #expect(try run(arguments, input: input).output == pairs)
        let later = try run(arguments + ["--skew", "json=-1h"], input: input).output
        #expect(later == String(repeating: "json\n", count: 10) + String(repeating: "journal\n", count: 10))
    }

    @Test(
        "a filter on a journal's own fields is still evaluated by the journal",
        .enabled(if: SyntheticJournal.isAvailable)
    )
    func journalFilter() throws {
        let journal = try SyntheticJournal.large()
        let alone = try run(["--file", journal.path, "--no-follow", "-o", "cat", "priority <= err && pid > 1"])
        let beside = try run([
            "--file", journal.path, "--from", "run:true", "--no-follow", "-o", "cat",
            "source == 'journal' && priority <= err && pid > 1",
        ])
        #expect(alone.output == beside.output)
    }

    @Test("the library's operators: what they hold back is counted and reported")
    func timing() throws {
        let same = try run(["--from", "lines:-", "-o", "cat", "--distinct"], input: "a\na\nb\nb\nb\na\n")
        #expect(same.output == "a\nb\na\n" && same.errors == "busctl-rx: 3 records were held back, and 3 shown\n")
        let levels = #"{"u":1,"msg":"x"}"# + "\n" + #"{"u":2,"msg":"y"}"# + "\n" + #"{"u":1,"msg":"x"}"# + "\n"
        #expect(try run(["--from", "json:-", "-o", "cat", "--distinct"], input: levels).output == "x\ny\nx\n")
        #expect(
            try run(["--from", "json:-", "-o", "cat", "--distinct", "--by", "u"], input: levels).output == "x\ny\n"
        )
        let silent = try run(
            ["--from", "json:-", "--template", "{k}", "--distinct"],
            input: "{\"k\":1}\n{\"k\":1}\n{\"k\":2}\n"
        )
        #expect(silent.output == "1\n2\n")
        let throttled = try run(["--from", "lines:-", "-o", "cat", "--throttle", "1h"], input: "a\nb\nc\n")
        #expect(throttled.output.hasPrefix("a\n"))
        let sampled = try run(["--from", "lines:-", "-o", "cat", "--sample", "1h"], input: "a\nb\nc\n")
        #expect(sampled.output == "c\n")
        let debounced = try run(["--from", "lines:-", "-o", "cat", "--debounce", "1h"], input: "a\nb\nc\n")
        #expect(debounced.output == "c\n")
        #expect(try run(["--from", "every:1h", "--for", "50ms"]) == .init(status: 1, output: "", errors: ""))
    }

    @Test("--timeout, --for and --delay for each value of a field")
    func timingByValue() throws {
        // The child wrote before the last tick, so its silence is the longer one, however busy the machine is.
        let silent = try run([
            "--from", "every:10ms", "--from", "run:echo once", "-o", "cat", "--timeout", "300ms", "--by", "source",
        ])
        #expect(silent.status == 124)
        #expect(silent.errors == "busctl-rx: no record with source 'child' came for 0.3 seconds\n")
        let none = try run(["--from", "every:1h", "--timeout", "20ms", "--by", "source"])
        #expect(none == .init(status: 124, output: "", errors: ""))
        let levels = (1...3).map { #"{"u":\#($0 % 2),"msg":"\#($0)"}"# + "\n" }.joined()
        for option in [["--for", "1h"], ["--delay", "1us"], ["--timeout", "1h"]] {
            let all = try run(["--from", "json:-", "-o", "cat", "--by", "u"] + option, input: levels)
            #expect(all == .init(status: 0, output: "1\n2\n3\n", errors: ""), "\(option)")
        }
        // Later ticks are filtered out. Otherwise it would not end.
        let ended = try run([
            "--from", "every:10ms", "-o", "cat", "--for", "100ms", "--by", "source", "--timeout", "500ms",
        ])
        #expect(ended.status == 124 && ended.output.hasPrefix("tick"), "\(ended)")
    }

    @Test("the run ends after a count, after silence, on a signal")
    func ending() throws {
        let three = try run(["--from", "every:10ms", "--template", "{sequence}", "--count", "3"])
        #expect(three.output == "1\n2\n3\n")
        let silent = try run(["--from", "every:10ms", "-o", "cat", "--timeout", "50ms", "index < 0"])
        #expect(silent.status == 124 && silent.output == "")
    }

    @Test("it ends when the reader of its output goes away")
    func closed() throws {
        let process = try TailProcess(["tail", "--from", "every:10ms", "-o", "cat"])
        try process.wait(forOutput: "tick ")
        process.closeOutput()
        #expect(try process.end().status == 0)
    }

    @Test("the service manager is notified once everything is heard; children cannot notify it")
    func ready() throws {
        let receiver = try DatagramReceiver(name: folder.path("notify"))
        let process = try TailProcess(
            ["tail", "--from", "every:1h", "--from", "signals:USR1", "--from", "run:env", "-o", "cat"],
            environment: ["NOTIFY_SOCKET": folder.path("notify"), "LANG": "C", "TZ": "UTC"]
        )
        let told = try receiver.receive()
        #expect(told.lines == ["READY=1"])
        process.send(SIGUSR1)
        try process.wait(forOutput: "SIGUSR1")
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.status == -SIGTERM && !ended.output.contains("NOTIFY_SOCKET"))
    }

    @Test("a source that has ended does not prevent the notification of the service manager")
    func readyBesideAnEnd() throws {
        let receiver = try DatagramReceiver(name: folder.path("notify"))
        let stream = "MESSAGE=exported\n__REALTIME_TIMESTAMP=1700000000000000\n\n"
        try stream.write(toFile: folder.path("entries"), atomically: false, encoding: .utf8)
        let process = try TailProcess(
            ["tail", "--from", "export:\(folder.path("entries"))", "--from", "every:1h", "-o", "cat"],
            environment: ["NOTIFY_SOCKET": folder.path("notify"), "LANG": "C", "TZ": "UTC"]
        )
        #expect(try receiver.receive().lines == ["READY=1"])
        process.send(SIGTERM)
        #expect(try process.end().status == -SIGTERM)
    }

    @Test("explain shows a filter over several sources with their fields")
    func explained() throws {
        let filter = "source == 'signal' && number == SIGHUP || priority <= err"
        let ended = try TailProcess(["explain", "--from", "journal", "--from", "signals:HUP", filter]).end()
        #expect(ended.status == 0 && ended.errors == "" && ended.output.contains("number"))
        let refused = try TailProcess(["explain", "--from", "every:1s", filter]).end()
        #expect(refused.status == 2 && refused.errors.contains("there is no field number"))
    }

    @Test("the list of sources")
    func list() throws {
        let ended = try TailProcess(["sources"]).end()
        #expect(ended.status == 0 && ended.errors == "")
        for kind in ["journal", "json:", "signals:HUP,USR1", "run:", "changes:"] {
            #expect(ended.output.contains(kind))
        }
    }
}
