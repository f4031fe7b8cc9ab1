import Bus
import BusTesting
import CLinux
import Dispatch
import DispatchBridge
import Foundation
import Glibc
import TestSupport
import Testing
import SystemPackage

@Suite("Dispatch sources as signals")
struct DispatchSourceTests {
    private let queue = DispatchQueue(label: "sources")

    @Test("a timer fires once, and completes")
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

    @Test("a repeating timer fires on the queue, and counts missed firings")
    func repeating() {
        let queue = queue
        // From here on the queue recognizes itself.
        queue.schedule {}
        let (elsewhere, held) = (Heard<Int>(), Lock(false))
        let recorder = Recorder(
            Signals.dispatchTimer(deadline: .now(), repeating: .milliseconds(1), on: queue)
                .on(next: { firings in
                    if !queue.isCurrent { elsewhere.append(firings) }
                    let isFirst = held.withLock { held -> Bool in
                        defer { held = true }
                        return !held
                    }
                    // Whatever the time, the queue stays busy until the timer has been due 20 times more.
                    let end = DispatchTime.now() + .milliseconds(20)
                    while isFirst, DispatchTime.now() < end { usleep(1000) }
                })
                .take(first: 3)
        )
        recorder.waitForEnd()
        #expect(recorder.values.count == 3 && recorder.values[1] >= 20)
        #expect(elsewhere.values.isEmpty)
        #expect(recorder.violations == [])
    }

    @Test("a cancelled timer is silent, even if it was due")
    func cancelled() throws {
        let (holding, mayGo) = (Latch(), Latch())
        queue.async {
            holding.open()
            mayGo.wait()
        }
        holding.wait()
        let recorder = Recorder(Signals.dispatchTimer(deadline: .now() + .milliseconds(1), on: queue))
        let elsewhere = Recorder(
            Signals.dispatchTimer(deadline: .now() + .milliseconds(2), on: DispatchQueue(label: "elsewhere"))
        )
        // By then the previous timer is due and waits for the queue.
        elsewhere.waitForEnd()
        recorder.dispose()
        let later = Recorder(Signals.dispatchTimer(deadline: .now() + .milliseconds(1), on: queue))
        mayGo.open()
        later.waitForEnd()
        queue.sync {}
        #expect(recorder.events.isEmpty)
    }

    /// Returns when Dispatch has asked the kernel what is ready, and the queue has heard the answer.
    private func settle() throws {
        let (reader, writer) = try makePipe()
        close(writer)
        Recorder(Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue).take(first: 1)).waitForEnd()
        close(reader)
        queue.sync {}
    }

    @Test("a pipe is reported until it is read, and at its end")
    func reading() throws {
        let (reader, writer) = try makePipe()
        let read = Heard<UInt8>()
        let over = Latch()
        let handle = Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue).subscribe(
            next: { _ in
                var byte: UInt8 = 0
                let count = Glibc.read(reader, &byte, 1)
                if count == 1 {
                    read.append(byte)
                } else {
                    over.open()
                }
            },
            failed: { _ in }
        )
        _ = Glibc.write(writer, [UInt8](1...3), 3)
        close(writer)
        over.wait()
        handle.dispose()
        #expect(read.values == [1, 2, 3])
        close(reader)
    }

    @Test(
        "input written before the other end closed is reported to the last byte, followed by the end"
    )
    func hangups() throws {
        for _ in 0..<Stress.rounds(100, stress: 300) {
            let (reader, writer) = try makePipe()
            _ = Glibc.write(writer, [UInt8](1...3), 3)
            close(writer)
            let read = Heard<Int>()
            let recorder = Recorder(
                Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue).take(first: 4)
            ) { _ in
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
        "hangups that arrive while their subscriptions end, on several queues, do not damage Dispatch"
    )
    func hangupsOnSeveralQueues() throws {
        let queues = (0..<3).map { DispatchQueue(label: "hangup \($0)") }
        let ended = Heard<Int>()
        let over = DispatchGroup()
        let rounds = Stress.rounds(600, stress: 3_000)
        for round in 0..<rounds {
            let (reader, writer) = try makePipe()
            over.enter()
            // Dispatch must not watch the pipe itself: its end would be reported while the watch is being removed.
            _ = Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queues[round % 3]).take(first: 1)
                .subscribe(
                    next: { ended.append($0) },
                    failed: { _ in },
                    completed: { over.leave() }
                )
            _ = Glibc.write(writer, [1] as [UInt8], 1)
            close(writer)
            if round % 16 == 0 { over.wait() }
            close(reader)
        }
        over.wait()
        #expect(ended.values == [Int](repeating: 1, count: rounds))
    }

    @Test("while the observer pauses a pipe is not reported, and afterwards it is again")
    func readingPauses() throws {
        let (reader, writer) = try makePipe()
        _ = Glibc.write(writer, [UInt8](1...3), 3)
        let heard = PausedListening(Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue), after: 2)
        try heard.waitForPause()
        try settle()
        #expect(heard.values == [3, 3])
        var bytes: [UInt8] = [0, 0]
        #expect(Glibc.read(reader, &bytes, 2) == 2)
        heard.release(1)
        try heard.waitForValues(3)
        try heard.waitForPause()
        #expect(heard.values == [3, 3, 1])
        #expect(Glibc.read(reader, &bytes, 1) == 1)
        heard.release()
        try settle()
        #expect(heard.values.count == 3 && heard.overrun == 0)
        heard.dispose()
        close(reader)
        close(writer)
    }

    @Test("a source suspended for its observer is removed by disposal, with its descriptors and its chain")
    func disposalWhilePausing() throws {
        let (reader, writer) = try makePipe()
        weak var canary: Canary?
        let heard: PausedListening<Void, DispatchError>
        do {
            let bird = Canary()
            canary = bird
            heard = PausedListening(
                Signals.dispatchWritable(FileDescriptor(rawValue: writer), on: queue).on(next: { bird.sing() }),
                after: 1
            )
        }
        try heard.waitForPause()
        close(writer)
        heard.dispose()
        // The pipe is at its end once the duplicate is closed.
        Recorder(Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue).take(first: 1)).waitForEnd()
        #expect(canary == nil)
        heard.release()
        queue.sync {}
        #expect(heard.values.count == 1)
        close(reader)
    }

    @Test("a timer says how often it fired while the observer paused")
    func timerPauses() throws {
        let heard = PausedListening(
            Signals.dispatchTimer(deadline: .now(), repeating: .milliseconds(1), on: queue),
            after: 1
        )
        try heard.waitForPause()
        // Whatever the time, the other timer has been due 20 times, and this one as often.
        let others = Recorder(
            Signals.dispatchTimer(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1), on: queue)
                .scan(0, +).take(while: { $0 < 20 })
        )
        others.waitForEnd()
        #expect(heard.values.count == 1)
        heard.release(1)
        try heard.waitForValues(2)
        #expect(heard.values[1] >= 19)
        try heard.waitForPause()
        heard.dispose()
        queue.sync {}
        #expect(heard.overrun == 0 && heard.recorder.violations == [])
    }

    @Test("a full pipe is not writable until it is read from")
    func writing() throws {
        let (reader, writer) = try makePipe()
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let first = Recorder(Signals.dispatchWritable(FileDescriptor(rawValue: writer), on: queue).take(first: 1))
        first.waitForEnd()
        #expect(first.values.count == 1)
        let chunk = [UInt8](repeating: 0, count: 65_536)
        while write(writer, chunk, chunk.count) > 0 {}
        let later = Recorder(Signals.dispatchWritable(FileDescriptor(rawValue: writer), on: queue).take(first: 1))
        try settle()
        #expect(later.events.isEmpty)
        var buffer = chunk
        _ = Glibc.read(reader, &buffer, buffer.count)
        later.waitForEnd()
        #expect(later.values.count == 1)
        close(reader)
        close(writer)
    }

    @Test("reading and writing one socket, and closing it while watched, affect nobody else")
    func closedTooEarly() throws {
        for _ in 0..<50 {
            var ends: [CInt] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            let written = Recorder(
                Signals.dispatchWritable(FileDescriptor(rawValue: ends[0]), on: queue).take(first: 1)
            )
            let watched = Recorder(Signals.dispatchReadable(FileDescriptor(rawValue: ends[0]), on: queue))
            close(ends[0])
            // The new pipe has the number now.
            let (reader, writer) = try makePipe()
            let next = Recorder(Signals.dispatchReadable(FileDescriptor(rawValue: reader), on: queue).take(first: 1))
            watched.dispose()
            _ = Glibc.write(writer, [1] as [UInt8], 1)
            next.waitForEnd()
            written.waitForEnd()
            #expect(next.values == [1] && written.values.count == 1)
            // Its peer sends nothing and stays open.
            #expect(watched.events.isEmpty)
            close(reader)
            close(writer)
            close(ends[1])
        }
    }

    @Test("a regular file is readable")
    func file() throws {
        let descriptor = open(#filePath, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        let recorder = Recorder(
            Signals.dispatchReadable(FileDescriptor(rawValue: descriptor), on: queue).take(first: 1)
        )
        recorder.waitForEnd()
        #expect(recorder.values.count == 1)
        close(descriptor)
    }

    @Test("a descriptor that is not open is refused with its number")
    func notOpen() {
        let recorder = Recorder(Signals.dispatchReadable(FileDescriptor(rawValue: 987_654), on: queue))
        #expect(
            recorder.events == [
                .failed(DispatchError(operation: "watch descriptor 987654 to read", errno: .badFileDescriptor))
            ]
        )
        let text = DispatchError(operation: "watch descriptor 3 to write", errno: .tooManyOpenFiles).description
        #expect(text.hasPrefix("cannot watch descriptor 3 to write: ") && text.contains("ulimit -n"))
    }

    @Test(
        "the end of a process, child or not, is heard once; for a missing process, the reason"
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
        try settle()
        #expect(recorders.allSatisfy { $0.events.isEmpty })
        try input.fileHandleForWriting.close()
        for recorder in recorders {
            recorder.waitForEnd()
            #expect(recorder.events == [.next(pid), .completed])
        }
        process.waitUntilExit()
        let gone = Recorder(Signals.dispatchProcessExit(of: pid, on: queue))
        #expect(gone.events == [.failed(DispatchError(operation: "watch process \(pid)", errno: .noSuchProcess))])
    }

    @Test("numbers sent while the queue is busy arrive as one")
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

    @Test("when dropped, it frees its subscribers' chains")
    func dropped() {
        weak var canary: Canary?
        let handle: any Disposable
        do {
            let (data, bird) = (DispatchMergeSource(.adding, on: queue), Canary())
            canary = bird
            handle = data.subscribe(next: { _ in bird.sing() })
            data.send(1)
        }
        // The handler may have been running.
        queue.sync {}
        #expect(canary == nil)
        handle.dispose()
    }

    private func makePipe() throws -> (reader: CInt, writer: CInt) {
        var (reading, writing): (CInt, CInt) = (-1, -1)
        // A child that another test starts meanwhile must not keep the ends open.
        try #require(clinux_pipe(&reading, &writing) == 0)
        return (reading, writing)
    }
}
