import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "busctl-rx tail follows a journald",
    .serialized,
    .enabled(if: PrivateJournald.isAvailable, Comment(rawValue: PrivateJournald.hint))
)
struct CommandLineJournalTests {
    private func send(_ range: Range<Int>, as identifier: String = "test", to journald: PrivateJournald) throws {
        for number in range {
            try journald.send([("MESSAGE", "number \(number)"), ("SYSLOG_IDENTIFIER", identifier)])
        }
    }

    @Test("the first burst that a filter matches arrives whole, and a signal ends following")
    func firstBurst() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        try send(0..<1, as: "other", to: journald)
        let tail = try TailProcess(["tail", "--namespace", journald.namespace, "-o", "cat", "identifier == 'burst'"])
        try tail.waitUntilFollowing()
        try send(0..<500, as: "burst", to: journald)
        try tail.wait(forOutput: "number 499\n")
        tail.send(SIGTERM)
        #expect(try tail.end() == .init(status: -SIGTERM, output: Export.lines(0..<500), errors: ""))
    }

    @Test("namespaces and the contents of their journals are completed")
    func completion() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        try send(0..<1, as: "completed", to: journald)
        try TailProcess(["tail", "--namespace", journald.namespace, "--count", "1", "identifier == 'completed'"]).end()
        let patience = ["BUSCTL_RX_COMPLETION_SECONDS": "3600"]
        let asked = ["---complete", "tail", "--namespace", journald.namespace]
        let names = try TailProcess.run(asked, environment: patience)
        #expect(names.output.split(separator: "\n").contains { $0 == "\(journald.namespace)\t" })
        let values = try TailProcess.run(asked + ["-t", "comp"], environment: patience)
        #expect(values.output == "completed\t\n")
    }

    @Test("following begins with the last 10 entries, or as many as -n says; otherwise all are shown")
    func history() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        try send(0..<30, to: journald)
        let source = ["tail", "--namespace", journald.namespace, "-o", "cat", "identifier == 'test'"]
        let all = try TailProcess(source + ["--count", "30"] + ["-n", "all"]).end()
        #expect(all == .init(status: 0, output: Export.lines(0..<30), errors: ""))
        #expect(try TailProcess(source + ["--no-follow"]).end().output == Export.lines(0..<30))
        #expect(try TailProcess(source + ["--no-follow", "-n", "3"]).end().output == Export.lines(27..<30))
        #expect(try TailProcess(source + ["--no-follow", "-n", "0"]).end().status == 1)
        let tail = try TailProcess(source)
        try tail.wait(forOutput: "number 29\n")
        try send(30..<32, to: journald)
        try tail.wait(forOutput: "number 31\n")
        tail.closeOutput()
        let ended = try tail.end()
        #expect(ended == .init(status: 0, output: Export.lines(20..<32), errors: ""))
    }

    @Test("--timeout and --count end following")
    func endings() throws {
        let journald = try PrivateJournald()
        defer { journald.stop() }
        try send(0..<3, to: journald)
        let source = ["tail", "--namespace", journald.namespace, "-o", "cat", "-n", "all", "identifier == 'test'"]
        let all = TailProcess.Ended(status: 124, output: Export.lines(0..<3), errors: "")
        let timed = try Attempts.of(all) { try TailProcess(source + ["--timeout", Attempts.limits[$0].text]).end() }
        #expect(timed == all)
        let counted = try TailProcess(source + ["--count", "5"])
        try counted.wait(forOutput: "number 2\n")
        try send(3..<9, to: journald)
        #expect(try counted.end() == .init(status: 0, output: Export.lines(0..<5), errors: ""))
    }
}

@Suite(
    "busctl-rx tail prints what journalctl prints",
    .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
)
struct CommandLineJournalctlTests {
    @Test("-o json is the same object, with a large field, a binary field and a repeated field")
    func json() throws {
        let journal = try SyntheticJournal([
            [("MESSAGE", Array("plain".utf8)), ("PRIORITY", Array("3".utf8))],
            [("MESSAGE", [UInt8](repeating: 0x78, count: Stress.isAsked ? 10_000_000 : 1_000_000))],
            [("MESSAGE", [0x61, 0, 0xFF, 0x1B]), ("TWICE", Array("one".utf8)), ("TWICE", Array("two".utf8))],
            [("MESSAGE", Array("tab\tumlaut ü quote \" backslash \\ line\nfeed".utf8)), ("EMPTY", [])],
        ])
        let theirs = try Command.run(
            "/usr/bin/journalctl",
            ["--file", journal.path, "-o", "json", "--all", "--no-pager"]
        )
        let ours = try TailProcess(["tail", "--file", journal.path, "--no-follow", "-o", "json"]).end()
        #expect(ours.status == 0 && ours.errors == "")
        let expected = try objects(theirs.output)
        let got = try objects(Data(ours.output.utf8))
        #expect(expected.count == 4 && got.count == 4)
        for (expected, got) in zip(expected, got) {
            #expect(expected.keys.sorted() == got.keys.sorted())
            for key in expected.keys { #expect(try text(expected[key]) == text(got[key]), "field \(key)") }
        }
    }

    @Test(
        "-n shows all entries, even if there are more than libsystemd steps over at once",
        arguments: [
            "2147483647", "2147483648", "9223372036854775807",
        ]
    )
    func manyLines(count: String) throws {
        let journal = try SyntheticJournal((0..<3).map { [("MESSAGE", Array("number \($0)".utf8))] })
        let tail = try TailProcess(["tail", "--file", journal.path, "--no-follow", "-o", "cat", "-n", count]).end()
        #expect(tail == .init(status: 0, output: Export.lines(0..<3), errors: ""))
    }

    @Test("a list whose reader stops early is no failure")
    func unreadList() throws {
        let journal = try SyntheticJournal([[("MESSAGE", [UInt8](repeating: 0x78, count: 1_000_000))]])
        let tail = try TailProcess(["tail", "--file", journal.path, "-F", "MESSAGE"])
        try tail.waitUntilOutputIsFull()
        tail.closeOutput()
        #expect(try tail.end() == .init(status: 0, output: "", errors: ""))
    }

    private func text(_ value: Any?) throws -> Data {
        try JSONSerialization.data(withJSONObject: value ?? [], options: .fragmentsAllowed)
    }

    private func objects(_ data: Data) throws -> [[String: Any]] {
        try data.split(separator: 10).compactMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }
}
