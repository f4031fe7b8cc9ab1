import Bus
import BusTesting
import CLinux
import DescriptorBridge
import Glibc
import Loop
import TestSupport
import Testing
import Timers
import SystemPackage

@Suite("Hangups")
struct HangupTests {
    @Test("the writing end of a pipe hangs up when the reading end is closed, and nothing was written")
    func writingEnd() throws {
        let (reading, writing) = try makePipe()
        let spare = dup(reading)
        defer { close(writing) }
        let recorder = Recorder(Signals.hangup(of: FileDescriptor(rawValue: writing)))
        close(reading)
        settle()
        // Another process might still read.
        #expect(recorder.events.isEmpty)
        var waiting: CInt = -1
        _ = ioctl(spare, UInt(FIONREAD), &waiting)
        #expect(waiting == 0)
        close(spare)
        recorder.waitForEnd()
        #expect(recorder.values.count == 1)
        #expect(recorder.violations == [])
    }

    @Test("the reading end hangs up when the last writer is gone, and what was written can still be read")
    func readingEnd() throws {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let recorder = Recorder(Signals.hangup(of: FileDescriptor(rawValue: reading)))
        #expect(write(writing, "abc", 3) == 3)
        close(writing)
        recorder.waitForEnd()
        #expect(recorder.values.count == 1)
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(read(reading, &buffer, 8) == 3)
    }

    @Test("two listeners to one descriptor both hear it")
    func twice() throws {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let recorders = [
            Recorder(Signals.hangup(of: FileDescriptor(rawValue: reading))),
            Recorder(Signals.hangup(of: FileDescriptor(rawValue: reading))),
        ]
        close(writing)
        for recorder in recorders {
            recorder.waitForEnd()
            #expect(recorder.values.count == 1)
        }
    }

    @Test("a socket hangs up with its peer")
    func socket() {
        var ends: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        let recorder = Recorder(Signals.hangup(of: FileDescriptor(rawValue: ends[0])))
        close(ends[1])
        recorder.waitForEnd()
        #expect(recorder.values.count == 1)
    }

    @Test("a terminal hangs up when its other side is closed")
    func terminal() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN do what unlockpt(3) and ptsname(3) do, which the Glibc module does not export.
        var locked: CInt = 0
        var number: CInt = -1
        try #require(ioctl(master, 0x4004_5431, &locked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        #expect(terminal >= 0)
        defer { close(terminal) }
        let recorder = Recorder(Signals.hangup(of: FileDescriptor(rawValue: terminal)))
        close(master)
        recorder.waitForEnd()
        #expect(recorder.values.count == 1)
    }

    @Test func `files are silent`() {
        let file = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let recorder = Recorder(Signals.hangup(of: FileDescriptor(rawValue: file)))
        settle()
        #expect(recorder.events.isEmpty)
        recorder.dispose()
    }

    @Test(arguments: [-1, 1_000_000] as [CInt]) func `descriptors that are not open fail`(_ number: CInt) throws {
        let heard = Listening(Signals.hangup(of: FileDescriptor(rawValue: number)))
        try heard.waitForEnd()
        #expect(heard.failure?.errno == .badFileDescriptor && heard.values.isEmpty)
    }

    @Test("after disposal nothing is heard, and the descriptor can be watched again")
    func disposal() throws {
        let (reading, writing) = try makePipe()
        defer { close(writing) }
        let first = Recorder(Signals.hangup(of: FileDescriptor(rawValue: writing)))
        first.dispose()
        let second = Recorder(Signals.hangup(of: FileDescriptor(rawValue: writing)))
        close(reading)
        second.waitForEnd()
        settle()
        #expect(second.values.count == 1)
        #expect(first.events.isEmpty && first.eventsAfterDisposal == 0)
    }

    private func makePipe() throws -> (reading: CInt, writing: CInt) {
        var (reading, writing): (CInt, CInt) = (-1, -1)
        // A child that another test starts meanwhile must not keep the ends open.
        try #require(clinux_pipe(&reading, &writing) == 0)
        return (reading, writing)
    }

    /// Returns when the event loop has checked what was ready and everything that followed was delivered.
    private func settle() {
        for _ in 0..<3 {
            let looked = Latch()
            try? EventLoop.shared.perform { looked.open() }
            looked.wait()
            let delivered = Latch()
            ThreadScheduler.shared.schedule { delivered.open() }
            delivered.wait()
        }
    }
}
