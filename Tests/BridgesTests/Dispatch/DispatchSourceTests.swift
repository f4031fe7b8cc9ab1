import Bus
import BusTesting
import Dispatch
import DispatchBridge
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sources of Dispatch as signals")
struct DispatchSourceTests {
    private let queue = DispatchQueue(label: "sources")

    @Test("a timer fires once, and completes", .timeLimit(.minutes(15)))
    func once() {
        for signal in [
            Signals.dispatchTimer(deadline: .now() + .milliseconds(1), on: queue).eraseToAnySignal(),
            Signals.dispatchTimer(wallDeadline: .now() + .milliseconds(1), on: queue).eraseToAnySignal(),
        ] {
            let recorder = Recorder(signal)
            recorder.waitForEnd()
            #expect(recorder.events == [.next(1), .completed])
        }
    }

    @Test("a repeating timer fires on the queue, and counts what it missed", .timeLimit(.minutes(15)))
    func repeating() {
        let (queue, busy) = (queue, Lock(false))
        // From here on it knows itself.
        queue.schedule {}
        let counted = Heard<Int>()
        let recorder = Recorder(
            Signals.dispatchTimer(deadline: .now(), repeating: .milliseconds(1), on: queue)
                .on(next: { firings in
                    #expect(queue.isCurrent)
                    counted.append(firings)
                    let isFirst = busy.withLock { busy -> Bool in
                        defer { busy = true }
                        return !busy
                    }
                    // The queue is busy for twenty intervals.
                    if isFirst { usleep(20_000) }
                })
                .take(first: 3)
        )
        recorder.waitForEnd()
        #expect(recorder.values.count == 3 && recorder.values[1] >= 10)
        #expect(recorder.violations == [])
    }

    @Test("a cancelled timer is silent", .timeLimit(.minutes(15)))
    func cancelled() {
        let recorder = Recorder(Signals.dispatchTimer(deadline: .now() + .milliseconds(2), on: queue))
        recorder.dispose()
        let later = Recorder(Signals.dispatchTimer(deadline: .now() + .milliseconds(4), on: queue))
        later.waitForEnd()
        #expect(recorder.events.isEmpty)
    }

    @Test("a pipe is heard of until it is read, and at its end", .timeLimit(.minutes(15)))
    func reading() throws {
        let (reader, writer) = try makePipe()
        let read = Heard<UInt8>()
        let over = Latch()
        let handle = Signals.dispatchReadable(reader, on: queue).subscribe(next: { _ in
            var byte: UInt8 = 0
            let count = Glibc.read(reader, &byte, 1)
            if count == 1 {
                read.append(byte)
            } else {
                over.open()
            }
        })
        _ = Glibc.write(writer, [UInt8](1...3), 3)
        close(writer)
        over.wait()
        handle.dispose()
        #expect(read.values == [1, 2, 3])
        close(reader)
    }

    @Test(
        "what was written before the other end closed is heard of to the last byte, and then the end",
        .timeLimit(.minutes(15))
    )
    func hangups() throws {
        for _ in 0..<300 {
            let (reader, writer) = try makePipe()
            _ = Glibc.write(writer, [UInt8](1...3), 3)
            close(writer)
            let read = Heard<Int>()
            let recorder = Recorder(Signals.dispatchReadable(reader, on: queue).take(first: 4)) { _ in
                var byte: UInt8 = 0
                read.append(Glibc.read(reader, &byte, 1))
                return .more
            }
            recorder.waitForEnd()
            #expect(read.values == [1, 1, 1, 0])
            close(reader)
        }
    }

    @Test(
        "hangups that come while their subscriptions end, on several queues, leave Dispatch whole",
        .timeLimit(.minutes(15))
    )
    func hangupsOnSeveralQueues() throws {
        let queues = (0..<3).map { DispatchQueue(label: "hangup \($0)") }
        let ended = Heard<Int>()
        let over = DispatchGroup()
        for round in 0..<3_000 {
            let (reader, writer) = try makePipe()
            over.enter()
            // Dispatch may not watch the pipe itself: its end would be told while the watch is being taken down.
            _ = Signals.dispatchReadable(reader, on: queues[round % 3]).take(first: 1).subscribe(
                next: { ended.append($0) },
                completed: { over.leave() }
            )
            _ = Glibc.write(writer, [1] as [UInt8], 1)
            close(writer)
            if round % 16 == 0 { over.wait() }
            close(reader)
        }
        over.wait()
        #expect(ended.values == [Int](repeating: 1, count: 3_000))
    }

    @Test("a pipe that is full is not writable until it is read from", .timeLimit(.minutes(15)))
    func writing() throws {
        let (reader, writer) = try makePipe()
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let first = Recorder(Signals.dispatchWritable(writer, on: queue).take(first: 1))
        first.waitForEnd()
        #expect(first.values.count == 1)
        let chunk = [UInt8](repeating: 0, count: 65_536)
        while write(writer, chunk, chunk.count) > 0 {}
        let later = Recorder(Signals.dispatchWritable(writer, on: queue).take(first: 1))
        queue.sync {}
        #expect(later.events.isEmpty)
        var buffer = chunk
        _ = Glibc.read(reader, &buffer, buffer.count)
        later.waitForEnd()
        close(reader)
        close(writer)
    }

    @Test("reading and writing one socket, and closing it under the watch, disturb nobody", .timeLimit(.minutes(15)))
    func closedTooEarly() throws {
        for _ in 0..<50 {
            var ends: [CInt] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let written = Recorder(Signals.dispatchWritable(ends[0], on: queue).take(first: 1))
            let watched = Recorder(Signals.dispatchReadable(ends[0], on: queue))
            close(ends[0])
            // Has the number now.
            let (reader, writer) = try makePipe()
            let next = Recorder(Signals.dispatchReadable(reader, on: queue).take(first: 1))
            watched.dispose()
            _ = Glibc.write(writer, [1] as [UInt8], 1)
            next.waitForEnd()
            written.waitForEnd()
            close(reader)
            close(writer)
            close(ends[1])
        }
    }

    @Test("a regular file is readable", .timeLimit(.minutes(15)))
    func file() throws {
        let descriptor = open(#filePath, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        let recorder = Recorder(Signals.dispatchReadable(descriptor, on: queue).take(first: 1))
        recorder.waitForEnd()
        #expect(recorder.values.count == 1)
        close(descriptor)
    }

    @Test("what is not open is refused by its number")
    func notOpen() {
        let recorder = Recorder(Signals.dispatchReadable(987_654, on: queue))
        #expect(recorder.events == [.failed(.system(operation: "watch descriptor 987654 to read", code: EBADF))])
        let text = DispatchError.system(operation: "watch descriptor 3 to write", code: EMFILE).description
        #expect(text.hasPrefix("cannot watch descriptor 3 to write: ") && text.contains("ulimit -n"))
    }

    @Test(
        "the end of a process, a child or not, is heard once; of one that is not there, the reason",
        .timeLimit(.minutes(15))
    )
    func processes() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cat")
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let pid = process.processIdentifier
        let recorders = (0..<3).map { _ in Recorder(Signals.dispatchProcessExit(of: pid, on: queue)) }
        queue.sync {}
        #expect(recorders.allSatisfy { $0.events.isEmpty })
        try input.fileHandleForWriting.close()
        for recorder in recorders {
            recorder.waitForEnd()
            #expect(recorder.events == [.next(pid), .completed])
        }
        process.waitUntilExit()
        let gone = Recorder(Signals.dispatchProcessExit(of: pid, on: queue))
        #expect(gone.events == [.failed(.system(operation: "watch process \(pid)", code: ESRCH))])
    }

    @Test("numbers that are sent while the queue is busy come as one", .timeLimit(.minutes(15)))
    func merging() {
        let cases: [(DispatchMergeSource.Merging, UInt)] = [(.adding, 7), (.uniting, 7), (.replacing, 4)]
        for (merging, expected) in cases {
            let data = DispatchMergeSource(merging, on: queue)
            let heard = [Latch(), Latch()]
            let recorder = Recorder(data) { value in
                heard[value == 8 ? 0 : 1].open()
                return .more
            }
            data.send(8)
            heard[0].wait()
            queue.sync { for number in [1, 2, 4] as [UInt] { data.send(number) } }
            heard[1].wait()
            #expect(recorder.values == [8, expected])
            recorder.dispose()
        }
    }

    @Test("dropped, it frees its subscribers' chains")
    func dropped() {
        weak var canary: Canary?
        let handle: any Disposable
        do {
            let (data, bird) = (DispatchMergeSource(.adding, on: queue), Canary())
            canary = bird
            handle = data.subscribe(next: { _ in bird.sing() })
            data.send(1)
        }
        // The handler may have been at it.
        queue.sync {}
        #expect(canary == nil)
        handle.dispose()
    }

    private func makePipe() throws -> (reader: CInt, writer: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}
