import Foundation
import Testing

@Suite("busctl-rx tail selects, counts and writes entries")
struct CommandLineFilterTests {
    private let stream = SyntheticJournal.export([
        [
            ("MESSAGE", Array("started".utf8)), ("PRIORITY", Array("6".utf8)),
            ("SYSLOG_IDENTIFIER", Array("init".utf8)), ("_PID", Array("1".utf8)),
        ],
        [
            ("MESSAGE", Array("time-out".utf8)), ("PRIORITY", Array("3".utf8)),
            ("_SYSTEMD_UNIT", Array("web.service".utf8)),
        ],
        [
            ("MESSAGE", Array("timed out".utf8)), ("PRIORITY", Array("4".utf8)),
            ("_SYSTEMD_UNIT", Array("web.service".utf8)),
        ],
        [
            ("MESSAGE", Array("failed".utf8)), ("PRIORITY", Array("2".utf8)),
            ("_SYSTEMD_UNIT", Array("db.service".utf8)),
        ],
    ])

    @Test(
        "a filter selects",
        arguments: [
            ("priority <= err", "time-out\nfailed\n"),
            ("PRIORITY <= 3", "time-out\nfailed\n"),
            ("unit == 'web.service' && message =~ 'time.?out'", "time-out\n"),
            ("_SYSTEMD_UNIT == 'web.service' and not (MESSAGE =~ 'time.?out')", "timed out\n"),
            ("has(_PID) || message.startsWith('fail')", "started\nfailed\n"),
            ("unit in ['db.service', 'x.service']", "failed\n"),
            ("pid == 1", "started\n"),
        ]
    )
    func selects(filter: String, expected: String) throws {
        let ended = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", filter, input: stream)
        #expect(ended == .init(status: 0, output: expected, errors: ""))
    }

    @Test("an entry for which the filter would take too long is left out, and this is reported")
    func tooCostly() throws {
        let stream = SyntheticJournal.export(
            [20, 60_000, 60_000].map { [("MESSAGE", Array(String(repeating: "a", count: $0).utf8))] }
        )
        let ended = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "-o",
            "cat",
            "not (message =~ '(?:a?){1000}c')",
            input: stream
        )
        #expect(ended.status == 0)
        #expect(ended.output == String(repeating: "a", count: 20) + "\n")
        #expect(ended.errors.contains("2 entries were left out, because the filter would have taken too long for them"))
    }

    @Test("if nothing matches, the status is 1 and nothing is printed")
    func nothingMatches() throws {
        let ended = try TailProcess.run("tail", "--from", "export:-", "unit == 'none'", input: stream)
        #expect(ended == .init(status: 1, output: "", errors: ""))
    }

    @Test("a file is read like standard input")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a name\nof two lines.export")
        try stream.write(to: URL(fileURLWithPath: path))
        let ended = try TailProcess.run("tail", "--from", "export:\(path)", "-o", "cat", "priority == crit")
        #expect(ended == .init(status: 0, output: "failed\n", errors: ""))
    }

    @Test("short is a line with time, host, name and process, whatever the time zone and the language are")
    func short() throws {
        let entry = SyntheticJournal.export([
            [
                ("MESSAGE", Array("hällo\nworld".utf8)), ("_HOSTNAME", Array("web-1".utf8)),
                ("SYSLOG_IDENTIFIER", Array("nginx".utf8)), ("_PID", Array("812".utf8)),
            ]
        ])
        let line = "Nov 14 22:13:20 web-1 nginx[812]: hällo\n"
        for environment in [
            ["TZ": "UTC"], ["TZ": "No/Such_Zone", "LANG": "C"], ["TZ": "UTC", "LC_ALL": "tr_TR.UTF-8"],
            ["TZ": ":/etc/passwd"],
        ] {
            let ended = try TailProcess.run("tail", "--from", "export:-", input: entry, environment: environment)
            #expect(ended.status == 0 && ended.errors == "")
            #expect(ended.output.hasPrefix(line), "\(environment): \(ended.output)")
            #expect(ended.output.hasSuffix("\n" + String(repeating: " ", count: 34) + "world\n"))
        }
    }

    @Test("an empty environment is enough")
    func emptyEnvironment() throws {
        let ended = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", input: stream, environment: [:])
        #expect(ended.output == "started\ntime-out\ntimed out\nfailed\n")
    }

    @Test(
        "json is one object a line: binary values as numbers, repeated fields as arrays, fields of any size"
    )
    func json() throws {
        let big = [UInt8](repeating: 0x61, count: 10_000_000)
        let entry = SyntheticJournal.export([
            [("MESSAGE", big), ("BLOB", [0, 255, 10]), ("TWICE", Array("a".utf8)), ("TWICE", Array("b\"\\".utf8))]
        ])
        let ended = try TailProcess.run("tail", "--from", "export:-", "-o", "json", input: entry)
        #expect(ended.status == 0)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        )
        #expect((object["MESSAGE"] as? String)?.utf8.count == 10_000_000)
        #expect(object["BLOB"] as? [Int] == [0, 255, 10])
        #expect(object["TWICE"] as? [String] == ["a", "b\"\\"])
        #expect(object["__REALTIME_TIMESTAMP"] as? String == "1700000000000000")
    }

    @Test(
        "-n shows the newest matches once the stream has ended",
        arguments: [
            ("2", [48, 58]), ("0", []), ("6", [8, 18, 28, 38, 48, 58]), ("99", [8, 18, 28, 38, 48, 58]),
            ("all", [8, 18, 28, 38, 48, 58]),
        ]
    )
    func newest(count: String, expected: [Int]) throws {
        let input = Export.numbers(0..<60)
        let ended = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "-o",
            "cat",
            "-n",
            count,
            "message.endsWith('8')",
            input: input
        )
        #expect(ended == .init(status: expected.isEmpty ? 1 : 0, output: Export.lines(expected), errors: ""))
        let unfiltered = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", "-n", count, input: input)
        let all = count == "all" ? 60 : min(60, Int(count) ?? -1)
        #expect(unfiltered.output == Export.lines((60 - all)..<60))
    }

    @Test("--count ends after that many matches, without waiting for the stream's end")
    func count() throws {
        let tail = try TailProcess(
            ["tail", "--from", "export:-", "-o", "cat", "--count", "3", "message.endsWith('8')"],
            input: .pipe
        )
        try tail.write(Export.numbers(0..<60))
        #expect(try tail.end() == .init(status: 0, output: Export.lines([8, 18, 28]), errors: ""))
        let fewer = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "-o",
            "cat",
            "--count",
            "3",
            input: Export.numbers(0..<2)
        )
        #expect(fewer == .init(status: 0, output: Export.lines(0..<2), errors: ""))
    }

    @Test("an expression of 100,000 characters is evaluated; one inside 1,000 parentheses is refused with a reason")
    func longExpressions() throws {
        let term = "message == 'started' || "
        let long = String(repeating: term, count: 99_900 / term.count) + "false"
        let answered = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", long, input: stream)
        #expect(answered == .init(status: 0, output: "started\n", errors: ""))
        let text = "message == '\(String(repeating: "x", count: 99_980))'"
        #expect(try TailProcess.run("tail", "--from", "export:-", text, input: stream).status == 1)
        let nested = String(repeating: "(", count: 1000) + "priority <= err" + String(repeating: ")", count: 1000)
        let refused = try TailProcess.run("tail", "--from", "export:-", nested, input: stream)
        #expect(refused.status == 2 && refused.output == "")
        #expect(refused.errors.contains("nested more than") && refused.errors.contains("^"))
        #expect(refused.errors.utf8.count < 1000, "an error a person can read")
    }
}
