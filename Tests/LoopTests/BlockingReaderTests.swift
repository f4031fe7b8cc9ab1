import Bus
import BusTesting
import CLinux
import Glibc
import Loop
import SystemPackage
import TestSupport
import Testing

@Suite("A blocking library on its own thread")
struct BlockingReaderTests {
    let pipe: TestPipe
    let library: BlockingBytes
    let signal: BlockingReaderSignal<BlockingBytes>

    init() throws {
        pipe = try TestPipe()
        library = BlockingBytes(pipe.reading.rawValue)
        signal = BlockingReaderSignal(library)
    }

    private func closePipe() throws {
        try pipe.reading.close()
        try pipe.writing.close()
    }

    private func waitUntilEnded() throws {
        try NewsBoard().waitOrThrow("the thread to end") { library.thread.hasEnded }
    }

    @Test("what it reads is heard on that thread, and it is closed before the end is heard")
    func completion() throws {
        let heard = Listening(
            signal.on(
                next: { [library] _ in library.noteThread("value") },
                terminated: { [library] in library.noteThread("end") }
            )
        )
        try pipe.send("ab.")
        try heard.waitForEnd()
        #expect(heard.hasCompleted && heard.values == Array("ab".utf8))
        #expect(heard.recorder.violations == [])
        #expect(library.steps.values == ["open", "value", "value", "close", "end"])
        try waitUntilEnded()
        try closePipe()
    }

    @Test("its error is the failure, after what it read before")
    func failure() throws {
        let heard = Listening(signal)
        try pipe.send("ab!c")
        try heard.waitForEnd()
        #expect(heard.failure == .damaged && heard.values == Array("ab".utf8))
        #expect(library.steps.values == ["open", "close"])
        try closePipe()
    }

    @Test("an observer that has enough hears the completion, and nothing more is read")
    func enough() throws {
        try pipe.send("abc!")
        let heard = Listening(signal.take(first: 2))
        try heard.waitForEnd()
        #expect(heard.hasCompleted && heard.values == Array("ab".utf8))
        try waitUntilEnded()
        #expect(pipe.waiting == 2 && library.steps.values == ["open", "close"])
        try closePipe()
    }

    @Test("while the observer pauses the thread sleeps and nothing is read; then it resumes")
    func pausing() throws {
        try pipe.send("abcd.")
        let heard = PausedListening(signal, after: 2)
        try heard.waitForPause()
        try NewsBoard().waitOrThrow("the thread to sleep") { library.thread.isParked }
        #expect(heard.values == Array("ab".utf8) && pipe.waiting == 3)
        heard.release(1)
        try heard.waitForValues(3)
        heard.release()
        try heard.waitForEnd()
        #expect(heard.values == Array("abcd".utf8) && heard.overrun == 0 && heard.lost == 0)
        try closePipe()
    }

    @Test("disposed of while it waits, it is closed at once, and nothing is kept")
    func disposalOfWaiting() throws {
        let alive = Alive()
        do {
            let token = alive.token()
            let heard = Listening(signal.on(next: { _ in token.sing() }))
            try pipe.send("a")
            try heard.waitForValues(1)
            heard.dispose()
            #expect(!heard.recorder.hasEnded && heard.recorder.eventsAfterDisposal == 0)
        }
        try waitUntilEnded()
        alive.waitForNone()
        #expect(library.steps.values == ["open", "close"])
        try closePipe()
    }

    @Test("disposed of while it sleeps, it is closed at once, and nothing is kept")
    func disposalOfSleeping() throws {
        let alive = Alive()
        do {
            let token = alive.token()
            let heard = PausedListening(signal.on(next: { _ in token.sing() }), after: 1)
            try pipe.send("abc")
            try heard.waitForPause()
            try NewsBoard().waitOrThrow("the thread to sleep") { library.thread.isParked }
            heard.dispose()
            #expect(!heard.recorder.hasEnded && heard.recorder.eventsAfterDisposal == 0)
        }
        try waitUntilEnded()
        alive.waitForNone()
        #expect(pipe.waiting == 2 && library.steps.values == ["open", "close"])
        try closePipe()
    }

    @Test("with no free descriptor it fails, and says what was tried")
    func exhaustion() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            useOwnDescriptors()
            let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var before = rlimit()
            getrlimit(descriptors, &before)
            var limit = rlimit(rlim_cur: 3, rlim_max: before.rlim_max)
            setrlimit(descriptors, &limit)
            // Leak Sanitizer opens files when the process ends.
            defer { setrlimit(descriptors, &before) }
            let heard = Listening(BlockingReaderSignal(BlockingBytes(0)))
            try heard.waitForEnd()
            let expected = BlockingBytesError.refused("make a descriptor to wake the reader", EMFILE)
            complain(unless: heard.failure == expected, "\(heard.recorder.events)")
        }
        expectNoComplaint(result)
    }
}

enum BlockingBytesError: Error, Equatable {
    case damaged
    case refused(String, CInt)
}

/// A library that reads a descriptor in a blocking call of its own. A full stop ends the input, an exclamation mark is
/// damage.
struct BlockingBytes: BlockingReading {
    typealias Value = UInt8
    typealias Failure = BlockingBytesError

    let descriptor: CInt
    let thread = SeenThread()
    let steps = Heard<String>()
    private let owner = Lock<pthread_t?>(nil)

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    var threadName: String { "bus-test-bytes" }

    func failure(_ error: BlockingReaderError) -> BlockingBytesError { .refused(error.operation, error.code) }

    /// Records a step, and whether it ran on another thread than the reading one.
    func noteThread(_ step: String) {
        let isOnIt = owner.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        steps.append(isOnIt ? step : "\(step) elsewhere")
    }

    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(BlockingBytesError) where Downstream.Value == UInt8, Downstream.Failure == BlockingBytesError {
        thread.note()
        let current = pthread_self()
        owner.withLock { $0 = current }
        noteThread("open")
        defer { noteThread("close") }
        guard output.waitUntilReady() else { return }
        while let byte = next(orUntilReadable: output.stopDescriptor), byte != UInt8(ascii: ".") {
            if byte == UInt8(ascii: "!") { throw .damaged }
            guard output.send(byte) else { return }
        }
    }

    private func next(orUntilReadable stop: CInt) -> UInt8? {
        var descriptors = [
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, -1) > 0, descriptors[0].revents == 0 else { return nil }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 ? byte : nil
    }
}
