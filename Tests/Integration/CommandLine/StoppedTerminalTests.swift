import Foundation
import Glibc
import Testing

@Suite("busctl-rx tail writes to a terminal that has been stopped")
struct StoppedTerminalTests {
    private static let fatal: [Int32] = [SIGINT, SIGTERM]

    private let live = ["tail", "--from", "export:-", "-o", "cat"]

    @Test("a signal ends it, and it reports what it has not written", arguments: Self.fatal)
    func output(signal: Int32) throws {
        let terminal = try Terminal()
        terminal.stop()
        let tail = try TailProcess(live, input: .pipe, output: .file(terminal.path))
        try tail.write(Export.numbers(0..<10))
        try tail.waitUntilWriting(thread: "busctl-output", to: STDOUT_FILENO)
        tail.send(signal)
        let count = Export.lines(0..<10).utf8.count
        let errors = "busctl-rx: standard output is not being read: at least \(count) bytes were not written\n"
        #expect(try tail.end() == .init(status: -signal, output: "", errors: errors))
        #expect(terminal.read() == "")
    }

    @Test("a signal ends it even if its messages go to that terminal", arguments: Self.fatal)
    func both(signal: Int32) throws {
        let terminal = try Terminal()
        terminal.stop()
        let tail = try TailProcess(
            live,
            input: .pipe,
            output: .file(terminal.path),
            errors: .file(terminal.path)
        )
        try tail.write(Export.numbers(0..<10))
        try tail.waitUntilWriting(thread: "busctl-output", to: STDOUT_FILENO)
        tail.send(signal)
        #expect(try tail.end().status == -signal)
    }

    @Test("a signal ends it when only its last message cannot be written", arguments: Self.fatal)
    func lastMessage(signal: Int32) throws {
        let terminal = try Terminal()
        terminal.stop()
        let tail = try TailProcess(live + ["--filter-stats", "true"], input: .pipe, errors: .file(terminal.path))
        try tail.write(Export.numbers(0..<10))
        tail.closeInput()
        try tail.waitUntilWriting(thread: "busctl-rx", to: STDERR_FILENO)
        tail.send(signal)
        #expect(try tail.end() == .init(status: -signal, output: Export.lines(0..<10), errors: ""))
    }

    @Test("records that arrive meanwhile wait, and are written when the terminal continues")
    func goesOn() throws {
        let terminal = try Terminal()
        terminal.stop()
        let tail = try TailProcess(live, input: .pipe, output: .file(terminal.path))
        try tail.write(Export.numbers(0..<10))
        try tail.waitUntilWriting(thread: "busctl-output", to: STDOUT_FILENO)
        try tail.write(Export.numbers(10..<20))
        terminal.start()
        tail.closeInput()
        #expect(try tail.end() == .init(status: 0, output: "", errors: ""))
        // The terminal writes a carriage return before each line feed.
        let written = terminal.read().replacing("\r\n", with: "\n")
        #expect(written == Export.lines(0..<20))
    }

    @Test("a signal ends the wait for a FIFO's writer", arguments: Self.fatal)
    func fifo(signal: Int32) throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("stream"), 0o600) == 0)
        let tail = try TailProcess(["tail", "--from", "export:" + folder.path("stream")])
        try tail.waitUntilFollowing()
        tail.send(signal)
        #expect(try tail.end() == .init(status: -signal, output: "", errors: ""))
    }
}
