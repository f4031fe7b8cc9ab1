import TestSupport
import Bus
import BusTesting
import DescriptorBridge
import Glibc
import SystemPackage
import Testing

@Suite("Writing into a descriptor")
struct WriteTests {
    @Test("everything is written in order, more than the pipe holds, and the end closes it")
    func order() throws {
        let pipe = try TestPipe()
        let pieces = (0..<50).map { [UInt8](repeating: UInt8($0), count: 4_000) }
        let written = Listening(Signals.from(pieces).write(to: pipe.writing))
        try pipe.writing.close()
        let read = Listening(Signals.bytes(from: pipe.reading, on: ThreadScheduler(name: "reading")))
        try read.waitForEnd()
        try written.waitForEnd()
        let isSame = Array(read.values.joined()) == Array(pieces.joined())
        #expect(isSame)
        #expect(written.values == pieces.map(\.count))
        #expect(written.hasCompleted)
        #expect(written.recorder.violations == [])
        try pipe.reading.close()
    }

    @Test("a source that can pause does so, and no more than the limit is held")
    func waiting() throws {
        let pipe = try TestPipe()
        // How many pieces were made, and the most that were made but not yet written at one time.
        let (made, waiting) = (Lock((count: 0, written: 0)), Lock(0))
        let source = Signals.from(Array(0..<500), on: ThreadScheduler(name: "source")).map { number -> [UInt8] in
            let open = made.withLock { made -> Int in
                made.count += 1
                return made.count - made.written
            }
            waiting.withLock { $0 = max($0, open) }
            return [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4096)
        }
        let written = Listening(source.write(to: pipe.writing, limit: 8)) { _ in
            made.withLock { $0.written += 1 }
            return .more
        }
        try pipe.writing.close()
        try written.waitForValues(16)
        ProcessState.settle()
        let read = Listening(Signals.bytes(from: pipe.reading))
        try read.waitForEnd()
        #expect(read.values.joined().count == 500 * 4096)
        #expect(written.values.count == 500)
        // The queued pieces, the one just written and the one just made.
        #expect((8...10).contains(waiting.withLock { $0 }))
        try pipe.reading.close()
    }

    @Test("for a source that cannot pause and is too fast writing fails, and nothing is missing in the middle")
    func tooFast() throws {
        let pipe = try TestPipe()
        let subject = Subject(of: [UInt8].self)
        let written = Listening(subject.write(to: pipe.writing, limit: 4))
        let filled = pipe.fill()
        for _ in 0..<100 { subject.send([1]) }
        try written.waitForEnd()
        #expect(written.failure?.errno == .noBufferSpace)
        #expect(pipe.waiting == filled)
        try pipe.reading.close()
        try pipe.writing.close()
    }

    @Test("writing without a reader is an error")
    func brokenPipe() throws {
        let pipe = try TestPipe()
        try pipe.reading.close()
        let written = Listening(Signals.just(Array("abc".utf8)).write(to: pipe.writing))
        try written.waitForEnd()
        #expect(written.failure?.errno == .brokenPipe)
        try pipe.writing.close()
    }

    @Test("writing without a reader never raises the signal, whatever the writing thread's signal mask")
    func noSignal() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            var pipeSignal = sigset_t()
            sigemptyset(&pipeSignal)
            sigaddset(&pipeSignal, SIGPIPE)
            pthread_sigmask(SIG_UNBLOCK, &pipeSignal, nil)
            let pipe = try TestPipe()
            try pipe.reading.close()
            // On this very thread, which does not block the signal.
            let failed = Lock(false)
            _ = Signals.just(Array("abc".utf8)).write(to: pipe.writing, on: ImmediateScheduler())
                .subscribe(next: { _ in }, failed: { _ in failed.withLock { $0 = true } })
            var pending = sigset_t()
            sigpending(&pending)
            exit(failed.withLock { $0 } && sigismember(&pending, SIGPIPE) == 0 ? 7 : 1)
        }
    }

    @Test("cancelled while the pipe is full, it closes it, and the reader finds the end")
    func cancelled() throws {
        let pipe = try TestPipe()
        let filled = pipe.fill()
        let subject = Subject(of: [UInt8].self)
        let written = Listening(subject.write(to: pipe.writing))
        subject.send([1, 2, 3])
        ProcessState.settle()
        written.dispose()
        try pipe.writing.close()
        let read = Listening(Signals.bytes(from: pipe.reading))
        try read.waitForEnd()
        #expect(read.values.joined().count == filled)
        #expect(written.recorder.events.isEmpty)
        try pipe.reading.close()
    }

    @Test("from one pipe into another, read on its own scheduler: everything arrives, at the slower one's pace")
    func relayAtPace() throws {
        let (first, second) = (try TestPipe(), try TestPipe())
        let relayed = Listening(
            Signals.bytes(from: first.reading, on: ThreadScheduler(name: "input")).write(to: second.writing, limit: 2)
        )
        try second.writing.close()
        // Nobody reads yet, so it has to wait for room.
        let filled = second.fill()
        for number in 0..<2000 { try first.send("\(number)\n") }
        try first.writing.close()
        let read = Listening(Signals.bytes(from: second.reading, on: ThreadScheduler(name: "reading")))
        try relayed.waitForEnd()
        try read.waitForEnd()
        #expect(relayed.hasCompleted)
        let isWhole = read.values.joined().dropFirst(filled).elementsEqual((0..<2000).flatMap { Array("\($0)\n".utf8) })
        #expect(isWhole)
        try first.reading.close()
        try second.reading.close()
    }

    @Test("an error says what was too fast, and what to do")
    func tooFastMessage() {
        #expect("\(DescriptorError("write descriptor 4", code: ENOBUFS))".contains("raise the limit"))
    }

    @Test("keeps the contract")
    func contract() throws {
        let null = try FileDescriptor.open("/dev/null", .writeOnly, options: .closeOnExec)
        // A thousand values may be queued. The write yields to others on the scheduler after every 256 of them.
        let settle: @Sendable () -> Void = { for _ in 0..<2 { ProcessState.settle() } }
        let check = ContractCheck("write", settle: settle) { sources in
            sources[0]
                .map { [UInt8](repeating: 0, count: $0) }
                .mapError { _ in DescriptorError.forTests }
                .write(to: null)
                .mapError { _ in "end" as TestFailure }
        }
        #expect(check.violations() == [])
        try null.close()
    }
}

extension DescriptorError {
    fileprivate static let forTests = DescriptorError("test", code: EIO)
}
