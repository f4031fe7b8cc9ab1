import Foundation
import TestSupport
import Testing

@Suite("busctl-rx tail runs a command for each record")
struct CommandLineActionTests {
    private func run(_ arguments: [String], input: String = "a\nb\nc\n") throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "--from", "lines:-"] + arguments, input: Data(input.utf8))
    }

    @Test("the command reads the record and finds it in its environment")
    func record() throws {
        let shown = try run(["--exec", "cat", "--template", "{sequence} {message}", "message != 'b'"])
        #expect(shown == .init(status: 0, output: "1 a\n3 c\n", errors: ""))
        let variables = "echo \"$RECORD_SOURCE $RECORD_SEQUENCE $RECORD_MESSAGE\""
        let said = try run(["--exec", "sh -c '\(variables)'"], input: "$(id) `id` 'x'\n")
        #expect(said == .init(status: 0, output: "lines 1 $(id) `id` 'x'\n", errors: ""))
        let object = try run(["--exec", "cat"], input: "a\n").output
        #expect(object.hasPrefix("{\"time\":") && object.hasSuffix("\"message\":\"a\",\"fields\":{}}\n"), "\(object)")
        #expect(try run(["--exec", "cat", "message == 'x'"]) == .init(status: 1, output: "", errors: ""))
        #expect(try run(["--exec", "cat", "-o", "cat", "--count", "2"]).output == "a\nb\n")
    }

    @Test("no field can replace another variable, and fields that do not fit are named")
    func environment() throws {
        let long = String(repeating: "x", count: 100_000)
        let line = """
            {"msg":"m","PATH":"/nowhere","ld preload":"p","n":7,"long":"\(long)","zero":"a\\u0000b","omitted":"o","message":"n"}

            """
        let ended = try TailProcess.run(
            ["tail", "--from", "json:-", "--exec", "env"],
            input: Data(line.utf8),
            environment: ["LANG": "C", "PATH": "/usr/bin:/bin", "RECORD_LEFT": "of another record"]
        )
        let lines = Set(ended.output.split(separator: "\n").map(String.init))
        let wanted = ["PATH=/usr/bin:/bin", "RECORD_PATH=/nowhere", "RECORD_LD_PRELOAD=p", "RECORD_N=7"]
        #expect(ended.status == 0 && lines.isSuperset(of: wanted), "\(ended)")
        #expect(lines.contains("RECORD_OMITTED=LONG ZERO OMITTED"), "\(lines)")
        #expect(!ended.output.contains("another record") && !ended.output.contains("xxx"))
    }

    @Test("commands run one at a time and in order, unless more are allowed")
    func jobs() throws {
        let one = try run(["--exec", "sh -c 'echo begin $RECORD_MESSAGE; echo end $RECORD_MESSAGE'"])
        #expect(one.output == "begin a\nend a\nbegin b\nend b\nbegin c\nend c\n")
        // The first command waits for the second, which runs only if both run at once.
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let meeting = "if [ $RECORD_MESSAGE = a ]; then cat \(pipe); else echo met > \(pipe); fi"
        let two = try run(["--jobs", "2", "--exec", "sh -c '\(meeting)'"], input: "a\nb\n")
        #expect(two == .init(status: 0, output: "met\n", errors: ""))
    }

    @Test("a command that fails is reported and counted")
    func failure() throws {
        let ended = try run(["--exec", "sh -c 'test $RECORD_MESSAGE != b || exit 3'"])
        #expect(ended.status == 4 && ended.output == "")
        #expect(
            ended.errors == """
                busctl-rx: sh exited with 3, run for record 2 of 'lines'
                busctl-rx: 1 of 3 commands failed

                """
        )
        // The command need not read its input.
        #expect(try run(["--exec", "true"], input: String(repeating: "x", count: 1 << 20)).status == 0)
        // The program exists only at the start.
        let folder = try TemporaryFolder()
        let program = folder.path("once")
        try "#!/bin/sh\nrm \"$0\"\n".write(toFile: program, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let gone = try run(["--exec", program], input: "a\nb\n")
        #expect(gone.status == 4 && gone.errors.contains("1 of 2 commands failed"), "\(gone)")
        #expect(gone.errors.contains("cannot start \(program)"), "\(gone)")
    }

    @Test("commands run even if nobody reads their output")
    func closedOutput() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("seen")
        let lines = "tail --from lines:\(folder.path("lines")) --no-follow".split(separator: " ").map(String.init)
        try "a\nb\n".write(toFile: folder.path("lines"), atomically: false, encoding: .utf8)
        let command = "sh -c 'echo $RECORD_MESSAGE >> \(path)'"
        let tail = try TailProcess(lines + ["--exec", command], output: .closed)
        #expect(try tail.end() == .init(status: 0, output: "", errors: ""))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\nb\n")
    }

    @Test("a command that is running when the run ends is told to end")
    func ending() throws {
        let waiting = "trap \"echo ended; exit\" TERM; echo ready; while :; do sleep 0.1; done"
        let tail = try TailProcess(["tail", "--from", "every:1ms", "--exec", "sh -c '\(waiting)'"])
        try tail.wait(forOutput: "ready")
        tail.send(SIGTERM)
        let ended = try tail.end()
        // The shell may print a message about its `sleep`.
        #expect(ended.status == -SIGTERM && ended.output == "ready\nended\n", "\(ended)")
    }
}
