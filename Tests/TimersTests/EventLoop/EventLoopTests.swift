import Bus
import Dispatch
import Glibc
@testable import Loop
import TestSupport
import Testing
import Timers

@Suite("Event loop")
struct EventLoopTests {
    let loop = EventLoop(name: "test-loop")

    @Test("reports a ready descriptor on its own thread for as long as it is ready")
    func ready() throws {
        let pipe = try Pipe()
        let heard = Collected<ReadyEvents>()
        let wasCurrent = Collected<Bool>()
        let (twice, ended) = (Latch(), Latch())
        let watch = try loop.watch(pipe.reader) { [loop] events in
            heard.add(events)
            wasCurrent.add(loop.isCurrent)
            if heard.all.count == 2 { twice.open() }
        }
        #expect(heard.all.isEmpty)
        pipe.write()
        twice.wait()
        watch.cancel { ended.open() }
        ended.wait()
        #expect(heard.all.allSatisfy { $0 == .readable })
        #expect(wasCurrent.all.allSatisfy { $0 })
        #expect(!loop.isCurrent)
        #expect(watch.isDisposed)
    }

    @Test("after cancelling, nothing is called any more")
    func cancels() throws {
        let (pipe, other) = (try Pipe(), try Pipe())
        let heard = Collected<String>()
        let (ended, done) = (Latch(), Latch())
        let watch = try loop.watch(pipe.reader) { _ in heard.add("cancelled") }
        watch.cancel {
            heard.add("end")
            ended.open()
        }
        ended.wait()
        pipe.write()
        _ = try loop.watch(other.reader) { _ in
            heard.add("other")
            other.read()
            done.open()
        }
        other.write()
        done.wait()
        // A call for the other end would be made in the same round, but possibly second.
        let settled = Latch()
        try loop.perform { settled.open() }
        settled.wait()
        #expect(heard.all == ["end", "other"])
    }

    @Test("a watch may end itself and others from inside its call")
    func endsInside() throws {
        let pipes = [try Pipe(), try Pipe()]
        let watches = CompoundDisposable()
        let heard = Collected<Int>()
        let (called, settled) = (Latch(), Latch())
        // Both are ready before either is watched, so that one wait finds both.
        try loop.perform { [loop] in
            for pipe in pipes {
                pipe.write()
                guard
                    let watch = try? loop.watch(
                        pipe.reader,
                        { _ in
                            heard.add(1)
                            watches.dispose()
                            called.open()
                        }
                    )
                else { return }
                watches.add(watch)
            }
        }
        called.wait()
        try loop.perform { settled.open() }
        settled.wait()
        #expect(heard.all == [1])
    }

    @Test("the closing of the other end is reported")
    func hangup() throws {
        let pipe = try Pipe()
        let gone = Latch()
        let heard = Collected<ReadyEvents>()
        let watch = try loop.watch(pipe.reader) { events in
            heard.add(events)
            gone.open()
        }
        pipe.closeWriter()
        gone.wait()
        watch.dispose()
        #expect(heard.all.first?.contains(.hangup) == true)
    }

    @Test("a descriptor that cannot be watched is refused with the reason")
    func refuses() throws {
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        do throws(EventLoopError) {
            _ = try loop.watch(file) { _ in }
            Issue.record("a plain file was accepted")
        } catch {
            #expect(error.code == EPERM)
            #expect(error.description.contains("cannot watch descriptor \(file)"))
        }
        #expect(throws: EventLoopError.self) { try loop.watch(-1) { _ in } }
        let pipe = try Pipe()
        let watch = try loop.watch(pipe.reader) { _ in }
        #expect(throws: EventLoopError(operation: "watch descriptor \(pipe.reader)", code: EEXIST)) {
            try loop.watch(pipe.reader) { _ in }
        }
        watch.dispose()
        try loop.watch(pipe.reader) { _ in }.dispose()
    }

    @Test("all signals except those of faults are blocked on its thread")
    func signalsAreBlocked() throws {
        let (mask, done) = (Collected<Bool>(), Latch())
        try loop.perform {
            var current = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &current)
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGPIPE] {
                mask.add(sigismember(&current, signal) == 1)
            }
            done.open()
        }
        done.wait()
        #expect(mask.all == Array(repeating: true, count: 6))
    }

    @Test("input in bursts is read completely, and so is later input")
    func paced() throws {
        let pipe = try Pipe()
        let heard = Lock(0)
        let arrivals = DispatchSemaphore(value: 0)
        let watch = try loop.watch(paced: pipe.reader) {
            let count = pipe.read(upTo: 64)
            heard.withLock { $0 += count }
            for _ in 0..<count { arrivals.signal() }
        }
        defer { watch.dispose() }
        // Each waits for the one before, so no later input causes it to be read.
        for _ in 0..<500 {
            pipe.write()
            arrivals.wait()
        }
        // Input that arrives together is also read.
        for _ in 0..<5_000 { pipe.write() }
        for _ in 0..<5_000 { arrivals.wait() }
        #expect(heard.withLock { $0 } == 5_500)
    }

    @Test("a descriptor that is resting is not read if the watch ends meanwhile")
    func pacedEnds() throws {
        // Most watches end while the descriptor is resting. Only the certain ones are counted.
        var (rounds, rested) = (0, 0)
        while rounds < 200 || rested < 20 {
            try #require(!RunLimit.isOver, "after \(rounds) rounds only \(rested) had been left alone")
            rounds += 1
            let pipe = try Pipe()
            let (third, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let heard = Lock(0)
            let hasEnded = Lock(false)
            let watch = try loop.watch(paced: pipe.reader) {
                _ = pipe.read(upTo: 1)
                #expect(!hasEnded.withLock { $0 })
                if heard.withLock({
                    $0 += 1
                    return $0 == 3
                }) {
                    third.signal()
                }
            }
            for _ in 0..<100 { pipe.write() }
            third.wait()
            let end = { @Sendable in
                watch.cancel {
                    hasEnded.withLock { $0 = true }
                    ended.signal()
                }
            }
            if rounds.isMultiple(of: 2) {
                end()
            } else if try isResting(then: end) {
                rested += 1
            }
            ended.wait()
            let count = heard.withLock { $0 }
            while try isResting() {}
            #expect(heard.withLock { $0 } == count)
        }
    }

    /// Whether a descriptor is resting. The work is done while it is.
    private func isResting(then work: @escaping @Sendable () -> Void = {}) throws -> Bool {
        let (answer, isThere) = (Lock(false), Latch())
        try loop.perform { [loop] in
            let isResting = (try? loop.isResting) ?? false
            answer.withLock { $0 = isResting }
            work()
            isThere.open()
        }
        isThere.wait()
        return answer.withLock { $0 }
    }

    @Test("releasing the loop ends its thread, frees what the watches hold and runs later work at once")
    func ends() throws {
        final class Held: Sendable {
            let freed = Latch()
            deinit { freed.open() }
        }
        let pipe = try Pipe()
        func start() throws -> (Latch, EventLoop.Watch) {
            let held = Held()
            return (held.freed, try EventLoop(name: "test-loop-end").watch(pipe.reader) { _ in _ = held })
        }
        let (freed, watch) = try start()
        freed.wait()
        try NamedThreads.waitForEnd(of: "test-loop-end")
        let done = Latch()
        watch.cancel { done.open() }
        done.wait()
    }
}

/// Both ends of a pipe, closed with this object.
final class Pipe: Sendable {
    let reader: CInt
    private let writer: CInt
    private let isWriterOpen = Lock(true)

    struct Refused: Error {
        let code: CInt
    }

    init() throws {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw Refused(code: errno) }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        closeWriter()
        close(reader)
    }

    func write() {
        var byte: UInt8 = 1
        _ = Glibc.write(writer, &byte, 1)
    }

    func read() {
        var byte: UInt8 = 0
        _ = Glibc.read(reader, &byte, 1)
    }

    /// - Returns: how many bytes were read.
    func read(upTo count: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            max(0, Glibc.read(reader, buffer.baseAddress, count))
        }
    }

    func closeWriter() {
        let wasOpen = isWriterOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { close(writer) }
    }
}
