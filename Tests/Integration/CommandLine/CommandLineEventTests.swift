import Foundation
import TestSupport
import Testing

@Suite("busctl-rx tail waits for records")
struct CommandLineEventTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func run(_ arguments: [String], input: String = "a\nb\nc\nd\n") throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "--from", "lines:-", "-o", "cat"] + arguments, input: Data(input.utf8))
    }

    @Test("it begins and ends with a record")
    func between() throws {
        let both = ["--after-match", "message == 'b'", "--until-match", "message == 'c'"]
        #expect(try run(both) == .init(status: 0, output: "b\nc\n", errors: ""))
        #expect(try run(["--after-match", "message == 'x'"]) == .init(status: 1, output: "", errors: ""))
        #expect(try run(["--until-match", "message == 'x'"]).output == "a\nb\nc\nd\n")
        // Records that the filter rejects are not examined.
        #expect(try run(["message != 'b'", "--until-match", "message == 'b'"]).output == "a\nc\nd\n")
    }

    @Test("the status says whether the record arrived", arguments: [("c", true), ("x", false)])
    func question(message: String, comes: Bool) throws {
        let shown = comes ? "a\nb\nc\n" : "a\nb\nc\nd\n"
        let expression = "message == '\(message)'"
        #expect(try run(["--expect", expression]) == .init(status: comes ? 0 : 1, output: shown, errors: ""))
        #expect(try run(["--absent", expression]) == .init(status: comes ? 1 : 0, output: shown, errors: ""))
    }

    @Test(
        "a question is not answered by a reader of the output that goes away",
        arguments: [("--expect", 1), ("--absent", 3)]
    )
    func unread(option: String, status: CInt) throws {
        let script = """
            '\(TailProcess.program)' tail --from every:10ms \(option) 'sequence == 1000000' | head -1 >/dev/null
            exit ${PIPESTATUS[0]}
            """
        #expect(try Command.run("/bin/bash", ["-c", script]).status == status)
    }

    @Test("the status says that the record did not arrive in time")
    func late() throws {
        let never = ["tail", "--from", "every:1h", "-o", "cat"]
        let expected = try TailProcess.run(never + ["--expect", "true", "--within", "20ms"])
        #expect(expected == .init(status: 124, output: "", errors: ""))
        let absent = try TailProcess.run(never + ["--absent", "true", "--for", "20ms"])
        #expect(absent == .init(status: 0, output: "", errors: ""))
        let soon = try TailProcess.run(
            ["tail", "--from", "every:1ms", "-o", "cat", "--expect", "sequence == 3", "--within", "1h"]
        )
        #expect(soon.status == 0 && soon.errors == "" && soon.output.split(separator: "\n").count == 3, "\(soon)")
    }

    @Test("a file's existing content does not count, unless it is asked for")
    func past() throws {
        let path = folder.path("app.log")
        try "old\n".write(toFile: path, atomically: false, encoding: .utf8)
        let question = ["tail", "--from", "lines:\(path)", "-o", "cat", "--expect", "true"]
        #expect(try TailProcess.run(question + ["-n", "1"]).output == "old\n")
        #expect(try TailProcess.run(question + ["--no-follow"]).output == "old\n")
        #expect(try TailProcess.run(question + ["--within", "20ms"]) == .init(status: 124, output: "", errors: ""))
    }
}
