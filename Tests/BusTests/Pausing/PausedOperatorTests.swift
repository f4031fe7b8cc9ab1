import Bus
import BusTesting
import Testing

/// Every operator with a queue, several inputs or several rounds, with an observer that pauses again and again.
@Suite("Operators over sources that can pause")
struct PausedOperatorTests {
    private func expectAll(_ chain: PausedChain, _ recorder: PausingRecorder<Int, Never>, _ count: Int) {
        if let values = chain.values {
            let (heard, expected) = (recorder.values, values(count))
            #expect(heard.count == expected.count)
            let isInOrder = heard == expected
            #expect(isInOrder)
        } else {
            let heard = recorder.values
            for source in 0..<chain.sources {
                let arrivedAll = areAscending(heard.from(source), count)
                #expect(arrivedAll)
            }
            #expect(heard.count == chain.sources * count)
        }
        let (hasEnded, overrun, lost, violations) = (
            recorder.hasEnded, recorder.overrun, recorder.lost, recorder.violations
        )
        #expect(hasEnded)
        #expect(overrun == 0)
        #expect(lost == 0)
        #expect(violations == [])
    }

    // Each is a separate value, because the description of a failed expectation would access the chain behind the
    // recorder.
    private func expectNothing(after count: Int, _ recorder: PausingRecorder<Int, Never>) {
        let (heard, hasEnded, tardy) = (recorder.valueCount, recorder.hasEnded, recorder.eventsAfterDisposal)
        #expect(heard == count)
        #expect(!hasEnded)
        #expect(tardy == 0)
    }

    @Test("nothing is lost, repeated or out of order", arguments: PausedChain.all, [1, 2, 3, 7])
    func inOrder(chain: PausedChain, every step: Int) {
        let (time, lead) = (TestScheduler(), Lead())
        let signal = chain.build(PausedChain.Material(count: 20, time: time, lead: lead, canary: nil))
        let recorder = PausingRecorder(signal, after: step, onNext: { _ in lead.hear(chain.inputs) })
        recorder.play(step) { time.run() }
        expectAll(chain, recorder, 20)
        #expect(lead.most <= chain.bound)
    }

    @Test("the same when it is paused from the beginning", arguments: PausedChain.all)
    func pausedFromTheBeginning(chain: PausedChain) {
        let time = TestScheduler()
        let signal = chain.build(PausedChain.Material(count: 20, time: time, lead: Lead(), canary: nil))
        let recorder = PausingRecorder(signal, after: 0)
        time.run()
        #expect(recorder.events == [])
        recorder.play(1) { time.run() }
        expectAll(chain, recorder, 20)
    }

    @Test("of many values no more are held than the documented bound", arguments: PausedChain.all)
    func bound(chain: PausedChain) {
        let (time, lead, count) = (TestScheduler(), Lead(), 2_500)
        let signal = chain.build(PausedChain.Material(count: count, time: time, lead: lead, canary: nil))
        let recorder = PausingRecorder(signal, after: 1, onNext: { _ in lead.hear(chain.inputs) })
        recorder.play(100) { time.run() }
        expectAll(chain, recorder, count)
        #expect(lead.most <= chain.bound)
    }

    @Test("released from inside its own callback it resumes", arguments: PausedChain.all)
    func releasedInside(chain: PausedChain) {
        let time = TestScheduler()
        let signal = chain.build(PausedChain.Material(count: 20, time: time, lead: Lead(), canary: nil))
        let held = Lock<PausingRecorder<Int, Never>?>(nil)
        // Room for the next value is made while the present one is handled. It is answered with a pause.
        let recorder = PausingRecorder(signal, after: 1, onNext: { _ in held.withLock { $0 }?.release(1) })
        held.withLock { $0 = recorder }
        recorder.play(1) { time.run() }
        expectAll(chain, recorder, 20)
        held.withLock { $0 = nil }
    }

    @Test("disposed of while it pauses, all of it is freed and nothing arrives", arguments: PausedChain.all, [0, 1, 3])
    func disposed(chain: PausedChain, after count: Int) {
        let time = TestScheduler()
        weak var (above, below): (Canary?, Canary?)
        let recorder: PausingRecorder<Int, Never>
        do {
            let (singer, listener) = (Canary(), Canary())
            (above, below) = (singer, listener)
            let signal = chain.build(PausedChain.Material(count: 20, time: time, lead: Lead(), canary: singer))
            let heard = signal.map { value in
                listener.sing()
                return value
            }
            recorder = PausingRecorder(heard, after: count)
        }
        time.run()
        let isAwaited = recorder.isAwaited
        #expect(isAwaited)
        recorder.dispose()
        time.run()
        let isFreed = (above: above == nil, below: below == nil)
        #expect(isFreed == (true, true))
        recorder.release()
        time.run()
        expectNothing(after: count, recorder)
    }

    @Test("when disposed of by the code that makes room, nothing arrives", arguments: PausedChain.all)
    func disposedInside(chain: PausedChain) {
        let time = TestScheduler()
        let signal = chain.build(PausedChain.Material(count: 20, time: time, lead: Lead(), canary: nil))
        let held = Lock<PausingRecorder<Int, Never>?>(nil)
        let recorder = PausingRecorder(
            signal,
            after: 2,
            onNext: { value in
                // The third value is the first after the pause. It arrives inside the call that ended the pause.
                guard let recorder = held.withLock({ $0 }), recorder.valueCount == 3 else { return }
                recorder.dispose()
            }
        )
        held.withLock { $0 = recorder }
        time.run()
        recorder.play(2) { time.run() }
        recorder.release()
        time.run()
        expectNothing(after: 3, recorder)
        held.withLock { $0 = nil }
    }

    @Test("an observer that has enough after a pause ends it", arguments: PausedChain.all)
    func stopped(chain: PausedChain) {
        let time = TestScheduler()
        let signal = chain.build(PausedChain.Material(count: 20, time: time, lead: Lead(), canary: nil))
        let recorder = PausingRecorder(signal.take(first: 5), after: 2)
        recorder.play(2) { time.run() }
        let (count, hasEnded, violations) = (recorder.valueCount, recorder.hasEnded, recorder.violations)
        #expect(count == 5)
        #expect(hasEnded)
        #expect(violations == [])
        #expect(time.pendingCount == 0)
    }

    @Test("the next queued signal is created when there is room for its values")
    func nextOfQueue() {
        let made = Log<Int>()
        let signal = Signals.from(0..<3).flatMap(.concat) { value in
            made.append(value)
            return Signals.just(value)
        }
        let recorder = PausingRecorder(signal, after: 1)
        for count in 1...2 {
            #expect(recorder.valueCount == count)
            #expect(made.entries == Array(0..<count))
            recorder.release(1)
        }
        recorder.release()
        #expect(recorder.values == [0, 1, 2])
        #expect(recorder.hasEnded)
    }

    @Test("every inner signal that may run has room for a value while the output pauses")
    func room() {
        let (outer, inners) = (Subject(of: Int.self), (0..<4000).map { _ in Subject(of: Int.self) })
        let recorder = PausingRecorder(outer.flatMap(.merge(maxConcurrent: 4000)) { inners[$0] }, after: 0)
        defer { recorder.dispose() }
        recorder.release(1)
        for number in inners.indices { outer.send(number) }
        for (number, inner) in inners.enumerated() { inner.send(number) }
        #expect(recorder.valueCount == 1)
        recorder.release()
        #expect(recorder.values == Array(0..<4000))
    }

    @Test("a value that arrives while others wait for room comes after them")
    func behindThoseThatWait() {
        let (outer, made) = (Subject(of: Int.self), Log<Int>())
        let signal = outer.flatMap(.merge(maxConcurrent: 2)) { value in
            made.append(value)
            return Signals.from([value * 10, value * 10 + 1])
        }
        let recorder = PausingRecorder(
            signal,
            after: 1,
            onNext: { value in if value == 1 { outer.send(2) } }
        )
        defer { recorder.dispose() }
        outer.send(0)
        outer.send(1)
        #expect(made.entries == [0])
        recorder.release(2)
        recorder.release()
        #expect(made.entries == [0, 1, 2])
        #expect(recorder.values.sorted() == [0, 1, 10, 11, 20, 21])
    }
}
