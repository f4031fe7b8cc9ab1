import Foundation
import Glibc
import Testing

@Suite("busctl-rx tail ends by signal, by time or by its reader")
struct CommandLineEndingTests {
    private static let fatal: [Int32] = [SIGHUP, SIGINT, SIGTERM]

    private static let live = ["tail", "--from", "export:-", "-o", "cat"]

    /// More than a pipe and the output buffer can hold. It is an array, because Leak Sanitizer does not see that a
    /// static `Data` refers to its memory.
    private static let flood = [UInt8](Export.numbers(0..<40_000))

    /// A follower whose output nobody reads, blocked in a write.
    private func stuck() throws -> TailProcess {
        let folder = try TemporaryFolder()
        try Data(Self.flood).write(to: URL(fileURLWithPath: folder.path("input")))
        let tail = try TailProcess(Self.live, input: .file(folder.path("input")))
        try tail.waitUntilOutputIsFull()
        return tail
    }

    @Test("SIGHUP, SIGINT and SIGTERM end it, as its parent sees, with everything written", arguments: Self.fatal)
    func signals(signal: Int32) throws {
        let tail = try TailProcess(Self.live, input: .pipe)
        try tail.write(Export.numbers(0..<1000))
        try tail.wait(forOutput: "number 999\n")
        tail.send(signal)
        #expect(try tail.end() == .init(status: -signal, output: Export.lines(0..<1000), errors: ""))
    }

    @Test("a signal before any input ends it as well", arguments: Self.fatal)
    func signalWhileIdle(signal: Int32) throws {
        let tail = try TailProcess(Self.live + ["message == 'first' || message == 'never'"], input: .pipe)
        try tail.write(Export.messages(["first"]))
        try tail.wait(forOutput: "first\n")
        tail.send(signal)
        #expect(try tail.end() == .init(status: -signal, output: "first\n", errors: ""))
    }

    @Test(
        "a signal ends it even if nobody reads its output",
        arguments: Self.fatal
    )
    func signalWhileStuck(signal: Int32) throws {
        let tail = try stuck()
        tail.send(signal)
        // The reader has two seconds to read the pending output. Then the process ends anyway.
        #expect(try tail.end(reading: false).status == -signal)
    }

    @Test("after one signal it writes whole lines for a reader that returns")
    func signalThenReading() throws {
        // If nobody has read for two seconds, it may end within a line.
        let isWhole = try Attempts.of(true) { _ in
            let tail = try stuck()
            tail.send(SIGTERM)
            let ended = try tail.end()
            #expect(ended.status == -SIGTERM)
            let lines = ended.output.split(separator: "\n").count
            return lines > 0 && ended.output == Export.lines(0..<lines)
        }
        #expect(isWhole)
    }

    @Test("after a second signal it ends at once")
    func signalTwice() throws {
        // The status shows which signal ended it. If it had waited after the first, the status would be the first
        // one's.
        let status = try Attempts.of(-SIGTERM) { _ in
            let tail = try stuck()
            tail.send(SIGINT)
            tail.send(SIGTERM)
            return try tail.end(reading: false).status
        }
        #expect(status == -SIGTERM)
    }

    @Test("--timeout ends it with 124 when no match came")
    func timeout() throws {
        let silent = try TailProcess(Self.live + ["--timeout", "50ms"], input: .pipe)
        #expect(try silent.end() == .init(status: 124, output: "", errors: ""))
        // It would run for ever if records that do not match counted.
        let unmatched = try TailProcess(Self.live + ["--timeout", "300ms", "message == 'x'"], input: .pipe)
        #expect(try unmatched.end(writing: Export.numbers(0..<1)) == .init(status: 124, output: "", errors: ""))
        let all = TailProcess.Ended(status: 124, output: Export.lines(0..<100), errors: "")
        let matched = try Attempts.of(all) { attempt in
            let tail = try TailProcess(Self.live + ["--timeout", Attempts.limits[attempt].text], input: .pipe)
            // It may have ended by now.
            try? tail.write(Export.numbers(0..<100))
            return try tail.end()
        }
        #expect(matched == all)
    }

    @Test("--timeout excludes the time for which its reader keeps it waiting")
    func timeoutWhileStuck() throws {
        let folder = try TemporaryFolder()
        try Data(Self.flood).write(to: URL(fileURLWithPath: folder.path("input")))
        let all = TailProcess.Ended(status: 0, output: Export.lines(0..<40_000), errors: "")
        let isWhole = try Attempts.of(true) { attempt in
            let (text, seconds) = Attempts.limits[attempt]
            let tail = try TailProcess(Self.live + ["--timeout", text], input: .file(folder.path("input")))
            do { try tail.waitUntilOutputIsFull() } catch  where !tail.isRunning { return false }
            // This wait is what is tested. It is longer than the timeout.
            tail.keepWaiting(seconds: seconds * 1.5)
            return try tail.end() == all
        }
        #expect(isWhole)
    }

    @Test("when its reader is gone it ends without a message, idle")
    func readerGoneWhileIdle() throws {
        let tail = try TailProcess(Self.live, input: .pipe)
        try tail.write(Export.numbers(0..<1))
        try tail.wait(forOutput: "number 0\n")
        tail.closeOutput()
        let ended = try tail.end()
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        let unmatched = try TailProcess(Self.live + ["message == 'x'"], input: .pipe)
        unmatched.closeOutput()
        #expect(try unmatched.end() == .init(status: 1, output: "", errors: ""))
    }

    @Test("when its reader is gone it ends without a message, busy")
    func readerGoneWhileBusy() throws {
        let tail = try stuck()
        tail.closeOutput()
        let ended = try tail.end()
        #expect(ended.status == 0)
        #expect(ended.errors == "")
    }

    @Test("| head -1 gets its line, and both end")
    func head() throws {
        let folder = try TemporaryFolder()
        try Data(Self.flood).write(to: URL(fileURLWithPath: folder.path("input")))
        let script = "'\(TailProcess.program)' tail --from export:'\(folder.path("input"))' -o cat 2>&1 | head -1"
        let result = try Command.run("/bin/bash", ["-o", "pipefail", "-c", script])
        #expect(result.output == Data("number 0\n".utf8))
        #expect(result.status == 0)
    }

    @Test("a full disk is an error, at the end and while following")
    func fullDisk() throws {
        let message = "busctl-rx: cannot write to standard output: No space left on device\n"
        let folder = try TemporaryFolder()
        try Export.numbers(0..<3).write(to: URL(fileURLWithPath: folder.path("input")))
        let ending = try TailProcess(Self.live, input: .file(folder.path("input")), output: .file("/dev/full"))
        #expect(try ending.end() == .init(status: 3, output: "", errors: message))
        let following = try TailProcess(Self.live, input: .pipe, output: .file("/dev/full"))
        try following.write(Export.numbers(0..<1))
        #expect(try following.end() == .init(status: 3, output: "", errors: message))
    }

    @Test(
        "closed standard output ends it with a message, even without input",
        arguments: [
            Self.live, ["count", "-f", "--from", "export:-"], ["count", "--from", "every:1h", "-f"], ["sources"],
            ["explain", "priority <= err"], ["--help"], ["tail", "--version"],
        ]
    )
    func closedOutput(arguments: [String]) throws {
        let command = try TailProcess(arguments, input: .pipe, output: .closed)
        let message = "busctl-rx: cannot write: standard output is closed\n"
        #expect(try command.end() == .init(status: 3, output: "", errors: message))
    }

    @Test("a file as its output gets everything")
    func outputFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("output")
        try Data().write(to: URL(fileURLWithPath: path))
        try Data(Self.flood).write(to: URL(fileURLWithPath: folder.path("input")))
        #expect(try TailProcess(Self.live, input: .file(folder.path("input")), output: .file(path)).end().status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Export.lines(0..<40_000))
    }
}
