import Bus
import BusTesting
import DescriptorBridge
import Glibc
import SystemPackage
import TestSupport
import Testing
import Timers

@Suite("Descriptors whose observer pauses")
struct PausingTests {
    @Test("bytes: nothing is read, the writer gets EAGAIN, and afterwards everything is heard in order")
    func bytes() throws {
        let pipe = try TestPipe()
        let heard = PausedListening(Signals.bytes(from: pipe.reading), after: 1)
        try pipe.send("a")
        try heard.waitForPause()
        let capacity = pipe.fill()
        #expect(capacity >= 4096)
        ProcessState.settle()
        #expect(pipe.fill() == 0 && pipe.waiting == capacity)
        heard.release(1)
        try heard.waitForValues(2)
        try heard.waitForPause()
        let room = pipe.fill()
        #expect(room > 0)
        heard.release()
        try pipe.send("z")
        try pipe.writing.close()
        try heard.waitForEnd()
        let text = Array(heard.values.joined())
        #expect(text.count == capacity + room + 2 && text.first == 97 && text.last == 122)
        #expect(heard.overrun == 0)
        #expect(heard.recorder.violations == [])
        try pipe.reading.close()
    }

    @Test("bytes: a writer that closes is noticed after the pipe's content")
    func closedMeanwhile() throws {
        let pipe = try TestPipe()
        let heard = PausedListening(Signals.bytes(from: pipe.reading, chunk: 1), after: 1)
        try pipe.send("abc")
        try heard.waitForPause()
        try pipe.writing.close()
        ProcessState.settle()
        #expect(heard.values == [[97]])
        #expect(!heard.recorder.hasEnded)
        heard.release()
        try heard.waitForEnd()
        #expect(heard.values == [[97], [98], [99]])
        try pipe.reading.close()
    }

    @Test("bytes: a regular file, which is always ready, is read at the observer's pace")
    func file() throws {
        let file = try FileDescriptor.open(#filePath, .readOnly, options: .closeOnExec)
        let heard = PausedListening(Signals.bytes(from: file, chunk: 100), after: 2)
        try heard.waitForPause()
        // The file's offset, which the duplicate shares.
        #expect(try file.seek(offset: 0, from: .current) == 200)
        ProcessState.settle()
        #expect(heard.values.count == 2)
        #expect(try file.seek(offset: 0, from: .current) == 200)
        heard.release()
        try heard.waitForEnd()
        #expect(heard.values.joined().count == Int(try file.seek(offset: 0, from: .end)))
        #expect(heard.overrun == 0)
        try file.close()
    }

    @Test("bytes, lines and readiness: disposal during a pause frees and closes everything")
    func disposal() throws {
        try expectFreed { Signals.bytes(from: $0, chunk: 1).map { _ in } }
        try expectFreed { Signals.lines(from: $0).map { _ in } }
        try expectFreed { Signals.readiness(of: $0, for: .readable).map { _ in } }
    }

    private func expectFreed<Source: Signal>(
        _ signal: (FileDescriptor) -> Source,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws where Source.Value == Void {
        let pipe = try TestPipe()
        weak var canary: Canary?
        let heard: PausedListening<Void, Source.Failure>
        do {
            let bird = Canary()
            canary = bird
            heard = PausedListening(signal(pipe.reading).on(next: { bird.sing() }), after: 1)
        }
        try pipe.send("a\nb\nc\n")
        try heard.waitForPause()
        try pipe.reading.close()
        #expect(!pipe.hasNoReader, sourceLocation: sourceLocation)
        heard.dispose()
        ProcessState.settle()
        #expect(pipe.hasNoReader, "the duplicate is open", sourceLocation: sourceLocation)
        #expect(canary == nil, "the chain is held", sourceLocation: sourceLocation)
        heard.release()
        ProcessState.settle()
        #expect(heard.values.count == 1 && heard.recorder.eventsAfterDisposal == 0, sourceLocation: sourceLocation)
        try pipe.writing.close()
    }

    @Test("lines: the rest of a piece is kept, and sent first")
    func lines() throws {
        let pipe = try TestPipe()
        let heard = PausedListening(Signals.lines(from: pipe.reading), after: 2)
        try pipe.send("a\nb\nc\nd")
        try heard.waitForPause()
        #expect(heard.values == ["a", "b"] && pipe.waiting == 0)
        try pipe.send("e\nf\n")
        ProcessState.settle()
        #expect(pipe.waiting == 4)
        // On this thread, because it has been read already.
        heard.release(1)
        #expect(heard.values == ["a", "b", "c"])
        heard.release(1)
        try heard.waitForValues(4)
        try pipe.send("g")
        try pipe.writing.close()
        heard.release()
        try heard.waitForEnd()
        #expect(heard.values == ["a", "b", "c", "de", "f", "g"])
        #expect(heard.overrun == 0 && heard.recorder.violations == [])
        try pipe.reading.close()
    }

    @Test("lines: they are the same wherever the observer pauses")
    func anyPauses() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let text = String((0..<200).map { _ in "ab\n\r€".randomElement(using: &random) ?? "a" })
            let whole = Recorder(Signals.just(Array(text.utf8)).lines(lineLimit: 16)).values
            var pieces: [[UInt8]] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...50, using: &random)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let recorder = PausingRecorder(Signals.from(pieces).lines(lineLimit: 16), after: 0)
            while !recorder.hasEnded { recorder.release(Int.random(in: 1...5, using: &random)) }
            #expect(recorder.values == whole, "\(text.debugDescription)")
            #expect(recorder.overrun == 0)
        }
    }

    @Test("lines: losses and the end keep their place after the queued lines")
    func places() {
        let source = ProbeSource<[UInt8], TestFailure>()
        let recorder = PausingRecorder(source.lines(), after: 1)
        source.send(Array("a\nb\n".utf8))
        #expect(source.lastAnswer == .pause)
        source.sendLoss(of: 3)
        source.send(Array("c\nd".utf8))
        source.complete()
        #expect(recorder.events == [.next("a")] && recorder.lost == 0)
        recorder.release(1)
        #expect(recorder.values == ["a", "b"] && recorder.lost == 0)
        recorder.release(1)
        #expect(recorder.values == ["a", "b", "c"] && recorder.lost == 3)
        #expect(!recorder.hasEnded)
        recorder.release()
        #expect(recorder.events == [.next("a"), .next("b"), .next("c"), .next("d"), .completed])
        #expect(recorder.overrun == 0 && recorder.violations == [])
    }

    @Test("lines: from a source that cannot pause 1,024 pieces are queued, and more are counted")
    func bound() {
        let source = ProbeSource<[UInt8], TestFailure>()
        let recorder = PausingRecorder(source.lines(), after: 1)
        source.send(Array("first\nsecond\n".utf8))
        for number in 0..<2000 { source.send(Array("\(number)\n".utf8)) }
        #expect(recorder.valueCount == 1)
        recorder.release()
        #expect(recorder.valueCount + recorder.lost == 2002)
        #expect(recorder.values.dropFirst(2).elementsEqual((0..<1023).map { "\($0)" }))
        #expect(recorder.overrun == 0)
        source.send(Array("last\n".utf8))
        #expect(recorder.values.last == "last")
    }

    @Test("readiness: a descriptor is not reported again before the observer is ready")
    func readiness() throws {
        let pipe = try TestPipe()
        let heard = PausedListening(Signals.readiness(of: pipe.reading, for: .readable), after: 1)
        try pipe.send("a")
        try heard.waitForPause()
        try pipe.send("b")
        ProcessState.settle()
        #expect(heard.values == [.readable])
        heard.release(1)
        try heard.waitForValues(2)
        try heard.waitForPause()
        #expect(heard.values == [.readable, .readable])
        try pipe.writing.close()
        #expect(pipe.read(3) == Array("ab".utf8))
        heard.release()
        try heard.waitForEnd()
        // A report found before the pipe was read may be sent afterwards.
        #expect(heard.values.last == .hangup && heard.overrun == 0)
        #expect(heard.recorder.violations == [])
        try pipe.reading.close()
    }

    @Test("writing: the source pauses when the queue is full, and resumes when half is written")
    func writing() throws {
        let pipe = try TestPipe()
        let filled = pipe.fill()
        let source = ProbeSource<[UInt8], DescriptorError>()
        let written = Listening(source.write(to: pipe.writing, limit: 4))
        for number in 1...4 as ClosedRange<UInt8> {
            #expect(source.demand == .more)
            source.send([number])
        }
        #expect(source.demand == .pause && source.pauses == 1)
        ProcessState.settle()
        #expect(source.callbacks == 0 && written.values.isEmpty)
        let ready = Latch()
        #expect(source.whenReady { ready.open() } == .pause)
        #expect(pipe.read(filled).count == filled)
        ready.wait()
        #expect(source.callbacks == 1 && source.demand == .more)
        try written.waitForValues(4)
        source.complete()
        try written.waitForEnd()
        #expect(pipe.read(100) == [1, 2, 3, 4])
        #expect(written.recorder.violations == [])
        try pipe.reading.close()
        try pipe.writing.close()
    }

    @Test("writing: nothing is written while the observer pauses")
    func writingForAPausedObserver() throws {
        let pipe = try TestPipe()
        let source = ProbeSource<[UInt8], DescriptorError>()
        let written = PausedListening(source.write(to: pipe.writing, limit: 2), after: 1)
        source.send([1])
        try written.waitForPause()
        source.send([2])
        source.send([3])
        ProcessState.settle()
        #expect(pipe.waiting == 1 && source.demand == .pause)
        written.release()
        try written.waitForValues(3)
        #expect(pipe.read(100) == [1, 2, 3])
        #expect(written.overrun == 0)
        source.complete()
        try written.waitForEnd()
        try pipe.reading.close()
        try pipe.writing.close()
    }

    @Test("writing: disposed of while the source pauses, it releases the source and calls nobody back")
    func writingDisposal() throws {
        let pipe = try TestPipe()
        _ = pipe.fill()
        let source = ProbeSource<[UInt8], DescriptorError>()
        weak var canary: Canary?
        let written: Listening<Int, DescriptorError>
        do {
            let bird = Canary()
            canary = bird
            written = Listening(source.on(next: { _ in bird.sing() }).write(to: pipe.writing, limit: 1))
        }
        source.send([1])
        #expect(source.demand == .pause)
        written.dispose()
        ProcessState.settle()
        #expect(source.liveSubscriptions == 0 && source.callbacks == 0)
        #expect(canary == nil)
        try pipe.writing.close()
        #expect(pipe.hasNoWriter)
        try pipe.reading.close()
    }

    @Test("from one pipe into another on the same scheduler everything arrives, at the slower one's pace")
    func relay() throws {
        let (first, second) = (try TestPipe(), try TestPipe())
        let relayed = Listening(Signals.bytes(from: first.reading, chunk: 100).write(to: second.writing, limit: 2))
        try second.writing.close()
        // More than both pipes hold.
        let text = (0..<40_000).map { "\($0)\n" }.joined()
        let sending = try TestThread {
            do {
                try first.send(text)
                try first.writing.close()
            } catch {
                Issue.record(error)
            }
        }
        ProcessState.settle()
        let read = PausedListening(Signals.bytes(from: second.reading, chunk: 1000), after: 1)
        while !read.recorder.hasEnded {
            try read.wait("a piece or the end") { $0.recorder.isAwaited || $0.recorder.hasEnded }
            read.release(1)
        }
        try relayed.waitForEnd()
        sending.wait()
        #expect(relayed.hasCompleted && read.overrun == 0)
        #expect(String(decoding: read.values.joined(), as: UTF8.self) == text)
        try first.reading.close()
        try second.reading.close()
    }
}
