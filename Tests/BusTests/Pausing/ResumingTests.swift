import BusTesting
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// When and how often a paused sender is called back.
@Suite("Being called back")
struct ResumingTests {
    /// Has no room after every value, and makes room before `whenReady` returns.
    private final class Hasty: Sendable {
        enum Way: Sendable, CaseIterable { case sameThread, otherThread, answered }

        let way: Way
        let log = Log<Int>()
        let ended = Latch()
        private let isFull = Atomic<Bool>(false)
        private let overrun = Atomic<Int>(0)

        init(_ way: Way) { self.way = way }

        var violations: Int { overrun.load(ordering: .relaxed) }

        var observer: AnsweringObserver<Int> {
            AnsweringObserver(
                onNext: { [self] value in
                    if isFull.exchange(true, ordering: .acquiringAndReleasing) { overrun.add(1, ordering: .relaxed) }
                    log.append(value)
                    return .pause
                },
                onEnd: { [self] in ended.open() },
                onDemand: { [self] in isFull.load(ordering: .acquiring) ? .pause : .more },
                onWait: { [self] resume in
                    switch way {
                    case .answered:
                        isFull.store(false, ordering: .releasing)
                        return .more
                    case .sameThread:
                        isFull.store(false, ordering: .releasing)
                        resume()
                    case .otherThread:
                        let threads = Threads()
                        threads.start { [self] in
                            isFull.store(false, ordering: .releasing)
                            resume()
                        }
                        threads.wait()
                    }
                    return .pause
                }
            )
        }
    }

    @Test("a call that arrives before whenReady returns is not lost", arguments: Hasty.Way.allCases, PausedChain.all)
    private func hasty(way: Hasty.Way, chain: PausedChain) {
        let (time, count) = (TestScheduler(), way == .otherThread ? 8 : 50)
        let signal = chain.build(PausedChain.Material(count: count, time: time, lead: Lead(), canary: nil))
        let hasty = Hasty(way)
        let handle = signal.subscribe(hasty.observer)
        time.run()
        // A chain that stands still would never end: there is room, and nobody is left to call.
        hasty.ended.wait()
        if let values = chain.values { #expect(hasty.log.entries == values(count)) }
        #expect(hasty.violations == 0)
        handle.dispose()
    }

    @Test("a waiter is released when everything is over, even if the source continues", arguments: [true, false])
    func over(byEnd: Bool) {
        let (source, trigger) = (RawSource<Int, Never>(), Subject(of: Int.self))
        let recorder = PausingRecorder(source.take(until: trigger), after: 1)
        #expect(source.send(1) == .pause)
        let isHeld = isKept { canary in
            #expect(source.whenReady { canary.sing() } == .pause)
            if byEnd { trigger.send(1) } else { recorder.dispose() }
        }
        #expect(!isHeld)
        #expect(recorder.hasEnded == byEnd)
    }

    @Test("a sender that was called once is not called again")
    func once() {
        let resumes = Log<@Sendable () -> Void>()
        let subject = Subject(of: Int.self)
        let output = SerialObserver(
            AnsweringObserver<Int>(
                onNext: { _ in .pause },
                onWait: { resume in
                    resumes.append(resume)
                    return .pause
                }
            )
        )
        let calls = Log<Int>()
        #expect(output.next(1) == .pause)
        for sender in 0..<3 { #expect(output.whenReady { calls.append(sender) } == .pause) }
        #expect(calls.entries == [])
        resumes.entries[0]()
        #expect(calls.entries == [0, 1, 2])
        // Calling twice resumes nobody twice.
        resumes.entries[0]()
        #expect(calls.entries == [0, 1, 2])
        #expect(output.demand == .more)
        #expect(output.whenReady { calls.append(9) } == .more)
        #expect(resumes.entries.count == 1)
        output.dispose()
        #expect(output.whenReady { calls.append(9) } == .stop)
        #expect(calls.entries == [0, 1, 2])
        withExtendedLifetime(subject) {}
    }

    @Test("two senders on two threads, both paused, are both called")
    func twoSenders() {
        let threads = (0..<2).map { ThreadScheduler(name: "sender-\($0)") }
        let signal = Signals.merge(
            threads.enumerated().map { index, thread in Signals.from(0..<20, on: thread).map { index * 10_000 + $0 } }
        )
        let recorder = PausingRecorder(signal, after: 0)
        for thread in threads { thread.settle() }
        #expect(recorder.events == [])
        while !recorder.hasEnded, !RunLimit.isOver {
            recorder.release(1)
            for thread in threads { thread.settle() }
        }
        for source in 0..<2 { #expect(recorder.values.from(source) == Array(0..<20)) }
        #expect(recorder.overrun == 0)
        #expect(recorder.lost == 0)
    }

    @Test("the reserved place of a paused sender is not given to another one", arguments: [2, 3, 5])
    func sharedLine(senders: Int) {
        // All of them are called when there is room. Each is told to pause while there is still room for one value of
        // every other sender, because these may have been told before that there is room.
        let signal = Signals.merge((0..<senders).map { source in Signals.from(0..<3_000).map { source * 10_000 + $0 } })
        let recorder = PausingRecorder(signal, after: 0)
        recorder.play(1)
        for source in 0..<senders { #expect(recorder.values.from(source) == Array(0..<3_000)) }
        #expect(recorder.lost == 0)
        #expect(recorder.hasEnded)
    }

    @Test("a paused observer hears losses at once, and the end")
    func lossAndEnd() {
        let subject = Subject(of: Int.self)
        let recorder = PausingRecorder(subject.merge(Signals.empty(Int.self)), after: 1)
        subject.send(1)
        subject.sendLoss(of: 3)
        #expect(recorder.lost == 3)
        subject.complete()
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test("a queued value keeps its place before losses and the end")
    func order() {
        let subject = Subject(of: Int.self)
        let recorder = PausingRecorder(subject.merge(Signals.empty(Int.self)), after: 1)
        for value in 1...3 { subject.send(value) }
        subject.sendLoss(of: 3)
        subject.complete()
        #expect(recorder.events == [.next(1)])
        #expect(recorder.lost == 0)
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
        #expect(recorder.lost == 3)
    }

    @Test("a million pauses need no stack")
    func deep() {
        let rounds = deepRounds(stress: 500_000)
        for signal in [
            Signals.from(0..<rounds).eraseToAnySignal(),
            Signals.from(0..<rounds).merge(Signals.empty(Int.self)).eraseToAnySignal(),
            Signals.from(0..<rounds).flatMap(.concat) { Signals.just($0) }.eraseToAnySignal(),
            Signals.just(0).repeat(rounds).eraseToAnySignal(),
        ] {
            let held = Lock<PausingRecorder<Int, Never>?>(nil)
            let recorder = PausingRecorder(signal, after: 0, onNext: { _ in held.withLock { $0 }?.release(1) })
            held.withLock { $0 = recorder }
            recorder.release(1)
            let (count, hasEnded) = (recorder.valueCount, recorder.hasEnded)
            #expect(count == rounds)
            #expect(hasEnded)
            held.withLock { $0 = nil }
        }
    }

    @Test("a disposed subscription drops the call, even one of many senders")
    func dropped() {
        weak var canary: Canary?
        let output = SerialObserver(AnsweringObserver<Int>(onNext: { _ in .pause }, onWait: { _ in .pause }))
        do {
            let singer = Canary()
            canary = singer
            _ = output.next(1)
            #expect(output.whenReady { singer.sing() } == .pause)
        }
        #expect(canary != nil)
        output.dispose()
        #expect(canary == nil)
    }
}
