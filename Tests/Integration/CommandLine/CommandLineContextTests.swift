import Foundation
import Testing

@Suite("busctl-rx tail shows the context of a match")
struct CommandLineContextTests {
    private func run(_ arguments: [String]) throws -> TailProcess.Ended {
        let lines = (1...20).map { "\($0)\n" }.joined()
        return try TailProcess.run(["tail", "--from", "lines:-", "-o", "cat"] + arguments, input: Data(lines.utf8))
    }

    @Test("records before and after, each once, with a separator between groups that do not touch")
    func blocks() throws {
        let around = ["--before-context", "2", "--after-context", "1"]
        let filter = "message in ['3', '5', '12', '20']"
        let shown = "1\n2\n3\n4\n5\n6\n--\n10\n11\n12\n13\n--\n18\n19\n20\n"
        #expect(try run(around + [filter]) == .init(status: 0, output: shown, errors: ""))
        #expect(try run(around + ["-g", "^(3|5|12|20)$"]).output == shown)
        #expect(try run(["-C", "2", "--after-context", "1", filter]).output == shown)
        #expect(try run(["-C1", "--context=0", "message == '7'"]).output == "7\n")
        #expect(try run(around + ["--count", "1", filter]).output == "1\n2\n3\n4\n")
        #expect(try run(around + ["message == 'x'"]) == .init(status: 1, output: "", errors: ""))
        // The output of objects has no line that is not an object.
        let objects = try run(around + ["-o", "json", filter]).output.split(separator: "\n")
        #expect(objects.count == 13 && objects.allSatisfy { $0.hasPrefix("{") })
        let counted = try run(["--after-context", "1", "--filter-stats", filter])
        #expect(counted.errors.contains("true for 4 entries, false for 16"), "\(counted.errors)")
    }

    @Test("options like journalctl's say what is read, and a filter what is searched for in it")
    func journal() throws {
        let stream = SyntheticJournal.export(
            (1...9).map { number in
                [
                    ("MESSAGE", Array("\(number)".utf8)),
                    ("SYSLOG_IDENTIFIER", Array((number % 2 == 0 ? "even" : "odd").utf8)),
                ]
            }
        )
        func run(_ arguments: String...) throws -> TailProcess.Ended {
            try TailProcess.run(["tail", "--from", "export:-", "-o", "cat"] + arguments, input: stream)
        }
        let chosen = try run("-t", "odd", "--before-context", "1", "message == '5'")
        #expect(chosen == .init(status: 0, output: "3\n5\n", errors: ""))
        let matched = try run("SYSLOG_IDENTIFIER=even", "-g", "4", "--after-context", "1")
        #expect(matched == .init(status: 0, output: "4\n6\n", errors: ""))
    }
}
