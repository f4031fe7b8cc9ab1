import Bus
import BusTesting
import TestSupport
import Testing

@Suite("ReplaySubject")
struct ReplaySubjectTests {
    @Test func aLateSubscriberHearsTheLastValuesAndThenTheLaterOnes() {
        let subject = ReplaySubject(of: Int.self, capacity: 2)
        for value in 1...3 { subject.send(value) }
        let late = Recorder(subject)
        #expect(late.values == [2, 3])
        subject.send(4)
        #expect(late.events == [.next(2), .next(3), .next(4)])
    }

    @Test func afterTheEndWhatIsKeptComesBeforeIt() {
        let completed = ReplaySubject(of: Int.self, capacity: 2)
        for value in 1...3 { completed.send(value) }
        completed.complete()
        #expect(Recorder(completed).events == [.next(2), .next(3), .completed])
        #expect(Recorder(completed).events == [.next(2), .next(3), .completed])

        let failed = ReplaySubject(of: Int.self, failure: TestFailure.self, capacity: 5)
        failed.send(1)
        failed.fail("broken")
        #expect(Recorder(failed).events == [.next(1), .failed("broken")])
    }

    @Test func whatIsSentAfterTheEndIsNotKept() {
        let subject = ReplaySubject(of: Int.self, capacity: 5)
        subject.send(1)
        subject.complete()
        subject.send(2)
        subject.sendLoss(of: 3)
        let late = Recorder(subject)
        #expect(late.events == [.next(1), .completed])
        #expect(late.lost == 0)
    }

    @Test(arguments: [0, -1])
    func withoutCapacityItIsASubject(capacity: Int) {
        let subject = ReplaySubject(of: Int.self, capacity: capacity)
        subject.send(1)
        let late = Recorder(subject)
        subject.send(2)
        subject.complete()
        #expect(late.events == [.next(2), .completed])
        #expect(Recorder(subject).events == [.completed])
    }

    @Test func aSubscriberThatHasEnoughInTheMiddleOfWhatIsReplayedHearsNoMore() {
        let subject = ReplaySubject(of: Int.self, capacity: 10)
        for value in 1...5 { subject.send(value) }
        #expect(Recorder(subject.take(first: 2)).events == [.next(1), .next(2), .completed])
        subject.complete()
        #expect(Recorder(subject.take(first: 2)).events == [.next(1), .next(2), .completed])
        #expect(Recorder(subject.take(first: 5)).events == (1...5).map { .next($0) } + [.completed])
    }

    @Test func anEndThatFollowsAStopInTheMiddleOfWhatIsReplayedIsACompletion() {
        let subject = ReplaySubject(of: Int.self, failure: TestFailure.self, capacity: 10)
        for value in 1...5 { subject.send(value) }
        subject.fail("broken")
        let recorder = Recorder(subject) { $0 == 2 ? .stop : .more }
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test func disposalInTheMiddleOfWhatIsReplayedSilencesTheRest() {
        let subject = ReplaySubject(of: Int.self, capacity: 10)
        for value in 1...5 { subject.send(value) }
        let heard = Log<Int>()
        // On the subject's own thread the handle does not exist yet, so one subscriber disposes of another.
        let other = SerialDisposable()
        subject.send(6)
        _ = subject.take(first: 1).subscribe(next: { _ in
            other.set(
                subject.subscribe(next: { value in
                    heard.append(value)
                    if value == 3 { other.dispose() }
                })
            )
        })
        subject.send(7)
        #expect(heard.entries == [1, 2, 3])
    }

    @Test func whoSubscribesInsideACallbackHearsEachValueOnce() {
        let subject = ReplaySubject(of: Int.self, capacity: 10)
        let heard = Log<Int>()
        _ = subject.take(first: 2).subscribe(next: { value in
            if value == 2 {
                _ = subject.subscribe(next: { heard.append($0) })
                subject.send(3)
            }
        })
        subject.send(1)
        subject.send(2)
        #expect(heard.entries == [1, 2, 3])
    }

    @Test func aValueSentWhileItReplaysFollowsForEveryone() {
        let subject = ReplaySubject(of: Int.self, capacity: 10)
        let early = Recorder(subject)
        subject.send(1)
        let heard = Log<Int>()
        let sending = subject.subscribe(next: { value in
            heard.append(value)
            if value == 1 { subject.send(2) }
        })
        defer { sending.dispose() }
        #expect(heard.entries == [1, 2])
        #expect(early.values == [1, 2])
    }

    @Test func whatIsMissingBetweenTheKeptValuesIsToldInItsPlace() {
        let subject = ReplaySubject(of: Int.self, capacity: 2)
        let heard = Log<String>()
        subject.sendLoss(of: 1)
        subject.send(1)
        subject.sendLoss(of: 2)
        subject.send(2)
        subject.sendLoss(of: 3)
        subject.send(3)
        subject.sendLoss(of: 4)
        subject.sendLoss(of: 1)
        _ = subject.subscribe(next: { heard.append("\($0)") }, lost: { heard.append("lost \($0)") })
        #expect(heard.entries == ["2", "lost 3", "3", "lost 5"])
    }

    @Test func valuesThatFallOutOfTheBufferAreFreed() {
        final class Box: Sendable {}
        let subject = ReplaySubject(of: Box.self, capacity: 1)
        weak var first: Box?
        do {
            let box = Box()
            first = box
            subject.send(box)
        }
        #expect(first != nil)
        subject.send(Box())
        #expect(first == nil)
    }

    @Test func lateSubscribersMissNothingWhileManySend() {
        for _ in 0..<Stress.rounds(5, stress: 20) {
            let subject = ReplaySubject(of: Int.self, capacity: 100_000)
            let group = Threads()
            let recorders = Log<Recorder<Int, Never>>()
            for sender in 0..<2 {
                group.start { for value in 0..<500 { subject.send(sender * 1_000 + value) } }
            }
            group.start { for _ in 0..<20 { recorders.append(Recorder(subject)) } }
            group.wait()
            subject.complete()
            let whole = Recorder(subject).events
            #expect(whole.count == 1_001)
            for recorder in recorders.entries {
                #expect(recorder.violations == [])
                let isWhole = recorder.events == whole
                #expect(isWhole)
            }
        }
    }

    @Test func droppingItFreesItsSubscribers() {
        var subject: ReplaySubject<Int, Never>? = ReplaySubject(capacity: 3)
        var handle: (any Disposable)?
        let isHeld = isKept { canary in
            subject?.send(1)
            handle = subject?.subscribe(next: { _ in canary.sing() })
            subject = nil
        }
        #expect(!isHeld)
        handle?.dispose()
    }
}
