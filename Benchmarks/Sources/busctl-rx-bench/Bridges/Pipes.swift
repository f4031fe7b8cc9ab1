import Bus
import Dispatch
import DescriptorBridge
import Glibc
import SystemPackage

extension Benchmark {
    /// Records in a pipe, compared with a loop that reads them directly.
    static let pipes = Benchmark(name: "pipes") { settings, report in
        report.add(
            try pieces.run(settings),
            bounds: [Bound(name: "pipe, a read each", limit: .aboveFloor(atMost: 100, orShare: 0.35))]
        )
        report.add(try piecesBesideWriter.run(settings))
        report.add(try lines.run(settings), bounds: [Bound(name: "lines of a pipe", limit: .aboveFloor(atMost: 100))])
    }

    /// O_DIRECT, which the Glibc module does not export.
    private static let packets: CInt = 0o40000

    private static let record = Array("a line of a length such as lines in a log have, or so\n".utf8)

    /// Every record is a separate read, because the pipe keeps packets apart. Few enough are written at a time that the
    /// pipe is never full, and the reader is held meanwhile. So neither waits for the other. Waiting costs more than
    /// reading; see ``piecesBesideWriter``.
    private static var pieces: Contest {
        Contest(
            name: "pipe, a read each",
            events: 200_000,
            expected: { UInt64($0 / pipeful * pipeful) },
            contenders: [
                .ours { count in
                    try withPipe(flags: packets) { reading, writing in
                        defer { close(writing) }
                        let turns = PipeTurns()
                        return Tally.of { tally in
                            let countdown = Countdown(from: pipeful) { turns.read() }
                            let pieces = Signals.bytes(from: FileDescriptor(rawValue: reading)).map { _ in 1 }
                            let subscription = pieces.subscribe(
                                next: {
                                    tally.add($0)
                                    countdown.count()
                                },
                                failed: { _ in }
                            )
                            turns.write(times: count / pipeful) {
                                for _ in 0..<pipeful { _ = write(writing, record, record.count) }
                            }
                            turns.end()
                            subscription.dispose()
                        }
                    }
                },
                .floor("read loop") { count in
                    try withPipe(flags: packets) { reading, writing in
                        Tally.of { tally in
                            let (reader, ended) = (ThreadScheduler(name: "bare"), DispatchSemaphore(value: 0))
                            let turns = PipeTurns()
                            let countdown = Countdown(from: pipeful) { turns.read() }
                            reader.schedule {
                                loop(reading: reading) { _ in
                                    tally.add(1)
                                    countdown.count()
                                }
                                ended.signal()
                            }
                            turns.write(times: count / pipeful) {
                                for _ in 0..<pipeful { _ = write(writing, record, record.count) }
                            }
                            turns.end()
                            close(writing)
                            ended.wait()
                        }
                    }
                },
            ]
        )
    }

    /// A writer and a reader that work alternately.
    private final class PipeTurns: Sendable {
        private let written = DispatchSemaphore(value: 0)
        private let wasRead = DispatchSemaphore(value: 0)

        /// Called by the reader when it has read everything. Returns when there is more.
        func read() {
            wasRead.signal()
            written.wait()
        }

        /// Writes this many times, and returns when everything was read. The first time the reader reads at once.
        func write(times: Int, _ body: () -> Void) {
            for index in 0..<times {
                body()
                if index > 0 { written.signal() }
                wasRead.wait()
            }
        }

        /// Lets the reader continue.
        func end() { written.signal() }
    }

    /// The number of packets in a batch, fewer than the pipe holds.
    private static let pipeful = 200

    /// The same with a writer in parallel with the reader. The result depends more on which of the two waits, and how
    /// often, than on the cost of an event. So it has no bound.
    private static var piecesBesideWriter: Contest {
        Contest(
            name: "pipe, a writer beside",
            events: 200_000,
            expected: { UInt64($0) },
            contenders: [
                .ours { count in
                    try throughPipe(count, flags: packets) { descriptor, tally in
                        heard(Signals.bytes(from: FileDescriptor(rawValue: descriptor)).map { _ in 1 }, tally)
                    }
                },
                .floor("read loop") { count in
                    try throughPipe(count, flags: packets) { descriptor, tally in
                        loop(reading: descriptor) { _ in tally.add(1) }
                    }
                },
            ]
        )
    }

    private static var lines: Contest {
        Contest(
            name: "lines of a pipe",
            events: 1_000_000,
            expected: { UInt64($0) * UInt64(record.count - 1) },
            contenders: [
                .ours { count in
                    try throughPipe(count, flags: 0) { descriptor, tally in
                        heard(Signals.lines(from: FileDescriptor(rawValue: descriptor)).map(\.utf8.count), tally)
                    }
                },
                .floor("read loop, memchr, String") { count in
                    try throughPipe(count, flags: 0) { descriptor, tally in
                        var rest: [UInt8] = []
                        loop(reading: descriptor) { rest = addLines(of: rest, and: $0, to: tally) }
                    }
                },
            ]
        )
    }

    /// - Parameter body: receives the two ends. It must close the writing end.
    private static func withPipe(flags: CInt, _ body: (_ reading: CInt, _ writing: CInt) throws -> UInt64) throws
        -> UInt64
    {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Complaint("no pipe, errno \(errno)") }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | flags) }
        // F_SETPIPE_SZ, which the Glibc module does not export.
        _ = fcntl(writing, 1031, 1 << 20)
        defer { close(reading) }
        return try body(reading, writing)
    }

    /// Writes the records on another thread while `reader` hears them, to the end.
    private static func throughPipe(_ count: Int, flags: CInt, _ reader: (CInt, Tally) throws -> Void) throws -> UInt64
    {
        try withPipe(flags: flags) { reading, writing in
            let done = DispatchGroup()
            DispatchQueue.global().async(group: done) {
                for _ in 0..<count { _ = write(writing, record, record.count) }
                close(writing)
            }
            defer { done.wait() }
            return try Tally.of { try reader(reading, $0) }
        }
    }

    private static func heard(_ signal: some Signal<Int, DescriptorError>, _ tally: Tally) {
        let ended = DispatchSemaphore(value: 0)
        _ = signal.subscribe(next: { tally.add($0) }, failed: { _ in ended.signal() }, completed: { ended.signal() })
        ended.wait()
    }

    private static func loop(reading descriptor: CInt, _ body: (UnsafeRawBufferPointer) -> Void) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return }
            body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private static func addLines(of rest: [UInt8], and bytes: UnsafeRawBufferPointer, to tally: Tally) -> [UInt8] {
        var start = 0
        var rest = rest
        while let base = bytes.baseAddress, start < bytes.count, let end = memchr(base + start, 10, bytes.count - start)
        {
            let index = base.distance(to: end)
            let line =
                rest.isEmpty
                ? String(decoding: bytes[start..<index], as: UTF8.self)
                : String(decoding: rest + bytes[start..<index], as: UTF8.self)
            rest = []
            tally.add(line.utf8.count)
            start = index + 1
        }
        return rest + bytes[start...]
    }
}
