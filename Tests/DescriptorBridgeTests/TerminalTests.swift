import Bus
import BusTesting
import DescriptorBridge
import Glibc
import SystemPackage
import TestSupport
import Testing
import Timers

@Suite("A terminal in blocking mode")
struct TerminalTests {
    /// More than a terminal takes, in lines, which it makes longer.
    private static let pieces = (0..<40).map { piece in
        Array((0..<100).map { "piece \(piece), line \($0)\n" }.joined().utf8)
    }
    private static let shown = String(decoding: pieces.joined(), as: UTF8.self).replacing("\n", with: "\r\n")

    /// Expects that work due on the shared scheduler is done, and that other descriptors are heard.
    private func expectOthersGoOn() throws {
        let ticks = Listening(Signals.interval(every: .milliseconds(1)))
        try ticks.waitForValues(3)
        ticks.dispose()
        let pipe = try TestPipe()
        let heard = Listening(Signals.bytes(from: pipe.reading))
        try pipe.send("abc")
        try heard.waitForValues(1)
        heard.dispose()
        try pipe.reading.close()
        try pipe.writing.close()
    }

    /// Reads until the expected amount has arrived.
    private func read(_ count: Int, from descriptor: FileDescriptor) throws -> String {
        var bytes: [UInt8] = []
        try NewsBoard().waitOrThrow("what was written") {
            bytes += PseudoTerminal.read(descriptor)
            return bytes.count >= count
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("if nobody reads it, others continue, and then everything arrives in order")
    func unread() throws {
        let terminal = try PseudoTerminal()
        let flags = fcntl(terminal.terminal.rawValue, F_GETFL)
        let written = Listening(Signals.from(Self.pieces).write(to: terminal.terminal))
        try written.waitForValues(1)
        try expectOthersGoOn()
        #expect(written.valueCount < Self.pieces.count)
        #expect(try read(Self.shown.utf8.count, from: terminal.master) == Self.shown)
        try written.waitForEnd()
        #expect(written.hasCompleted && written.values == Self.pieces.map(\.count))
        #expect(fcntl(terminal.terminal.rawValue, F_GETFL) == flags)
        try terminal.close()
    }

    @Test("if it is stopped, others continue, nothing is reported as written, and then it arrives")
    func stopped() throws {
        let terminal = try PseudoTerminal()
        terminal.stop()
        let written = Listening(Signals.from(Self.pieces).write(to: terminal.terminal))
        try expectOthersGoOn()
        #expect(written.valueCount == 0)
        terminal.goOn()
        #expect(try read(Self.shown.utf8.count, from: terminal.master) == Self.shown)
        try written.waitForEnd()
        #expect(written.hasCompleted)
        try terminal.close()
    }

    @Test("disposed of while nobody reads it, nothing follows or is kept, and the terminal is closed")
    func disposal() throws {
        let terminal = try PseudoTerminal()
        let alive = Alive()
        do {
            let token = alive.token()
            let signal = Signals.from(Self.pieces).write(to: terminal.terminal)
                .on(next: { _ in token.sing() })
            let written = Listening(signal)
            try written.waitForValues(1)
            try expectOthersGoOn()
            written.dispose()
            #expect(!written.recorder.hasEnded && written.recorder.eventsAfterDisposal == 0)
        }
        alive.waitForNone()
        try terminal.terminal.close()
        try NewsBoard().waitOrThrow("the terminal to be closed") { terminal.isHungUp }
        try terminal.master.close()
    }

    @Test("a read does not wait for more than is available")
    func readingTooEarly() throws {
        let terminal = try PseudoTerminal()
        terminal.makeRaw(minimum: 2, isPatient: true)
        try terminal.master.writeAll("a".utf8)
        try NewsBoard().waitOrThrow("it to arrive") { terminal.waiting == 1 }
        let heard = Listening(Signals.bytes(from: terminal.terminal))
        try heard.wait("it to be read") { _ in terminal.waiting == 0 }
        try terminal.master.writeAll("b".utf8)
        try heard.wait("both") { $0.values.joined().count == 2 }
        #expect(heard.values == [Array("a".utf8), Array("b".utf8)])
        heard.dispose()
        try terminal.close()
    }
}

/// A pty's master cannot be reopened. Neither can another user's terminal.
@Suite("A terminal that cannot be reopened")
struct ForeignTerminalTests {
    private static let pieces = (0..<100).map { [UInt8](repeating: UInt8($0), count: 4_000) }

    private func rawTerminal() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal()
        terminal.makeRaw()
        return terminal
    }

    @Test("written on its own thread: others continue, and everything arrives in order")
    func unread() throws {
        let terminal = try rawTerminal()
        let written = Listening(Signals.from(Self.pieces).write(to: terminal.master))
        try written.waitForValues(1)
        let ticks = Listening(Signals.interval(every: .milliseconds(1)))
        try ticks.waitForValues(3)
        ticks.dispose()
        #expect(written.valueCount < Self.pieces.count)
        var bytes: [UInt8] = []
        try NewsBoard().waitOrThrow("all of it") {
            bytes += PseudoTerminal.read(terminal.terminal)
            return bytes.count >= 400_000
        }
        #expect(bytes == Array(Self.pieces.joined()))
        try written.waitForEnd()
        #expect(written.hasCompleted && written.values == Self.pieces.map(\.count))
        try terminal.close()
    }

    @Test("disposed of while it is full, nothing follows; its thread and descriptor end once there is room")
    func disposal() throws {
        let terminal = try rawTerminal()
        let alive = Alive()
        do {
            let token = alive.token()
            let signal = Signals.from(Self.pieces).write(to: terminal.master).on(next: { _ in token.sing() })
            let written = Listening(signal)
            try written.waitForValues(1)
            written.dispose()
            #expect(!written.recorder.hasEnded && written.recorder.eventsAfterDisposal == 0)
        }
        alive.waitForNone()
        try terminal.master.close()
        try NewsBoard().waitOrThrow("the master to be closed") {
            _ = PseudoTerminal.read(terminal.terminal)
            var found = pollfd(fd: terminal.terminal.rawValue, events: 0, revents: 0)
            return poll(&found, 1, 0) > 0 && found.revents & Int16(POLLHUP) != 0
        }
        try terminal.terminal.close()
    }

    @Test("read on its own thread: input arrives in order, and disposal ends it at once")
    func reading() throws {
        let terminal = try rawTerminal()
        let heard = Listening(Signals.lines(from: terminal.master))
        for number in 0..<100 { try terminal.terminal.writeAll("line \(number)\n".utf8) }
        try heard.waitForValues(100)
        #expect(heard.values == (0..<100).map { "line \($0)" })
        heard.dispose()
        try terminal.terminal.writeAll("late\n".utf8)
        #expect(heard.valueCount == 100)
        #expect(PseudoTerminal.read(terminal.master) == Array("late\n".utf8))
        try terminal.close()
    }
}
