import TestSupport
import Bus
import BusTesting
import DescriptorBridge
import Glibc
import SystemPackage
import Testing

@Suite("Readiness of a descriptor")
struct ReadinessTests {
    @Test("readable whenever there is something to read, then hung up")
    func reading() throws {
        let pipe = try TestPipe()
        let read = Lock<[UInt8]>([])
        let heard = Listening(Signals.readiness(of: pipe.reading, for: .readable)) { readiness in
            guard readiness.contains(.readable) else { return .more }
            var byte: UInt8 = 0
            if Glibc.read(pipe.reading.rawValue, &byte, 1) == 1 { read.withLock { $0.append(byte) } }
            return .more
        }
        try pipe.send("abc")
        try heard.waitForValues(3)
        try pipe.writing.close()
        try heard.waitForEnd()
        #expect(read.withLock { $0 } == Array("abc".utf8))
        #expect(heard.values.dropLast().allSatisfy { $0.contains(.readable) })
        #expect(heard.values.last == .hangup)
        #expect(heard.hasCompleted)
        try pipe.reading.close()
    }

    @Test("a full pipe becomes writable when there is room, and two can watch one socket for different events")
    func writing() throws {
        let pipe = try TestPipe()
        _ = pipe.fill()
        let heard = Listening(Signals.readiness(of: pipe.writing, for: .writable).take(first: 1))
        ProcessState.settle()
        #expect(heard.values.isEmpty)
        var room = [UInt8](repeating: 0, count: 65_536)
        #expect(read(pipe.reading.rawValue, &room, room.count) > 0)
        try heard.waitForEnd()
        #expect(heard.values == [.writable])

        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let socket = FileDescriptor(rawValue: ends[0])
        let readable = Listening(Signals.readiness(of: socket, for: .readable).take(first: 1))
        let writable = Listening(Signals.readiness(of: socket, for: .writable).take(first: 1))
        try writable.waitForEnd()
        ProcessState.settle()
        #expect(readable.values.isEmpty)
        #expect(write(ends[1], "a", 1) == 1)
        try readable.waitForEnd()
        #expect(readable.values == [.readable])
        for end in ends { close(end) }
    }

    @Test("a file is refused with the reason, and so is a descriptor that is not open")
    func refused() throws {
        let file = try FileDescriptor.open("/etc/passwd", .readOnly, options: .closeOnExec)
        let heard = Listening(Signals.readiness(of: file, for: .readable))
        try heard.waitForEnd()
        #expect(heard.failure?.errno == .notPermitted)
        #expect(heard.failure?.description.contains("always ready") == true)
        let closed = Listening(Signals.readiness(of: FileDescriptor(rawValue: -1), for: .readable))
        try closed.waitForEnd()
        #expect(closed.failure?.errno == .badFileDescriptor)
        try file.close()
    }

    @Test("after disposal it can be watched again, and nothing is heard")
    func disposal() throws {
        let pipe = try TestPipe()
        let first = Listening(Signals.readiness(of: pipe.reading, for: .readable))
        first.dispose()
        let second = Listening(Signals.readiness(of: pipe.reading, for: .readable).take(first: 1))
        try pipe.send("a")
        try second.waitForEnd()
        ProcessState.settle()
        #expect(first.recorder.events.isEmpty)
        try pipe.reading.close()
        try pipe.writing.close()
    }
}
