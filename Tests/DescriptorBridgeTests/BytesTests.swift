import TestSupport
import Bus
import BusTesting
import DescriptorBridge
import Glibc
import SystemPackage
import Testing

@Suite("Bytes of a descriptor")
struct BytesTests {
    @Test("what is written is heard, and the end when the writer closes")
    func pipe() throws {
        let pipe = try TestPipe()
        let heard = Listening(Signals.bytes(from: pipe.reading))
        try pipe.send("abc")
        try heard.waitForValues(1)
        try pipe.send("de")
        try pipe.writing.close()
        try heard.waitForEnd()
        #expect(String(decoding: heard.values.joined(), as: UTF8.self) == "abcde")
        #expect(heard.hasCompleted)
        #expect(heard.recorder.violations == [])
        try pipe.reading.close()
    }

    @Test("nothing is read until the observer has returned: the pipe fills")
    func backpressure() throws {
        let pipe = try TestPipe()
        let (entered, mayReturn) = (Latch(), Latch())
        let scheduler = ThreadScheduler(name: "bytes")
        let heard = Listening(Signals.bytes(from: pipe.reading, on: scheduler)) { _ in
            entered.open()
            mayReturn.wait()
            return .more
        }
        try pipe.send("a")
        entered.wait()
        let capacity = pipe.fill()
        #expect(capacity >= 4096)
        ProcessState.settle()
        #expect(pipe.fill() == 0)
        #expect(pipe.waiting == capacity)
        mayReturn.open()
        try pipe.writing.close()
        try heard.waitForEnd()
        #expect(heard.values.joined().count == capacity + 1)
        try pipe.reading.close()
    }

    @Test("a regular file is read to its end, a piece at a time")
    func file() throws {
        let path = "/tmp/bytes-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .closeOnExec],
            permissions: .ownerReadWrite
        )
        defer { unlink(path) }
        let contents = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try file.writeAll(contents)
        try file.seek(offset: 0, from: .start)
        let heard = Listening(Signals.bytes(from: file, chunk: 10_000))
        try heard.waitForEnd()
        #expect(heard.values.allSatisfy { $0.count <= 10_000 })
        let isSame = Array(heard.values.joined()) == contents
        #expect(isSame)
        try file.close()
    }

    @Test("a device that never blocks, a directory, and a descriptor that is not open")
    func others() throws {
        let null = try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec)
        let end = Listening(Signals.bytes(from: null))
        try end.waitForEnd()
        #expect(end.hasCompleted && end.values.isEmpty)
        let folder = try FileDescriptor.open("/", .readOnly, options: [.directory, .closeOnExec])
        let refused = Listening(Signals.bytes(from: folder))
        try refused.waitForEnd()
        #expect(refused.failure?.errno == .isDirectory)
        let closed = Listening(Signals.bytes(from: FileDescriptor(rawValue: 1_000_000)))
        try closed.waitForEnd()
        #expect(closed.failure?.errno == .badFileDescriptor)
        #expect(closed.failure?.description.contains("1000000") == true)
        try null.close()
        try folder.close()
    }

    @Test("a terminal whose other side is gone is at its end; its flags do not change")
    func terminal() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: CInt = 0
        var number: CInt = -1
        // TIOCSPTLCK and TIOCGPTN do what unlockpt(3) and ptsname(3) do, which the Glibc module does not export.
        try #require(ioctl(master, 0x4004_5431, &locked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let flags = fcntl(master, F_GETFL)
        let heard = Listening(Signals.lines(from: FileDescriptor(rawValue: master)))
        #expect(write(terminal, "one\ntwo\n", 8) == 8)
        try heard.waitForValues(2)
        #expect(fcntl(master, F_GETFL) == flags)
        close(terminal)
        try heard.waitForEnd()
        #expect(heard.values == ["one", "two"])
        #expect(heard.hasCompleted)
        close(master)
    }

    @Test("a socket, and a descriptor that is closed right after subscribing")
    func socket() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let heard = Listening(Signals.bytes(from: FileDescriptor(rawValue: ends[0])))
        close(ends[0])
        #expect(write(ends[1], "abc", 3) == 3)
        try heard.waitForValues(1)
        close(ends[1])
        try heard.waitForEnd()
        #expect(heard.values == [Array("abc".utf8)])
    }

    @Test("an observer that has enough leaves the rest in the pipe")
    func stopping() throws {
        let pipe = try TestPipe()
        try pipe.send("abcdef")
        let heard = Listening(Signals.bytes(from: pipe.reading, chunk: 2).take(first: 2))
        try heard.waitForEnd()
        #expect(heard.hasCompleted)
        #expect(heard.values.map(\.count) == [2, 2])
        #expect(pipe.waiting == 2)
        try pipe.reading.close()
        try pipe.writing.close()
    }

    @Test("after disposal inside its callback, from outside, or before any input, nothing follows")
    func disposal() throws {
        let pipe = try TestPipe()
        let subscription = SerialDisposable()
        let count = Lock(0)
        let called = Latch()
        subscription.set(
            Signals.bytes(from: pipe.reading, chunk: 1).subscribe(
                next: { _ in
                    count.withLock { $0 += 1 }
                    subscription.dispose()
                    called.open()
                },
                failed: { _ in }
            )
        )
        try pipe.send("abc")
        called.wait()
        ProcessState.settle()
        #expect(count.withLock { $0 } == 1)
        #expect(pipe.waiting == 2)
        let idle = Listening(Signals.bytes(from: pipe.reading, chunk: 2))
        try idle.waitForValues(1)
        idle.dispose()
        try pipe.send("d")
        ProcessState.settle()
        #expect(idle.recorder.eventsAfterDisposal == 0)
        #expect(pipe.waiting == 1)
        try pipe.reading.close()
        try pipe.writing.close()
    }

    @Test("two subscriptions share the input")
    func sharing() throws {
        let pipe = try TestPipe()
        let heard = [Listening(Signals.bytes(from: pipe.reading)), Listening(Signals.bytes(from: pipe.reading))]
        for _ in 0..<1000 { try pipe.send("x") }
        try pipe.writing.close()
        for one in heard { try one.waitForEnd() }
        #expect(heard.reduce(0) { $0 + $1.values.joined().count } == 1000)
        try pipe.reading.close()
    }

    @Test("on a scheduler with several threads the pieces keep their order")
    func concurrentScheduler() throws {
        let pipe = try TestPipe()
        let heard = Listening(Signals.lines(from: pipe.reading, on: ConcurrentScheduler(name: "lines", threads: 4)))
        for number in 0..<5000 { try pipe.send("\(number)\n") }
        try pipe.writing.close()
        try heard.waitForEnd()
        let isSame = heard.values == (0..<5000).map { "\($0)" }
        #expect(isSame)
        #expect(heard.recorder.violations == [])
        try pipe.reading.close()
    }
}
