import Bus
import BusTesting
import Testing

@Suite("CurrentValueSubject")
struct CurrentValueSubjectTests {
    @Test func aSubscriberHearsThePresentValueAndThoseThatFollow() {
        let subject = CurrentValueSubject(0)
        let early = Recorder(subject)
        subject.send(1)
        subject.value = 2
        let late = Recorder(subject)
        subject.send(3)
        subject.complete()
        #expect(early.events == [.next(0), .next(1), .next(2), .next(3), .completed])
        #expect(late.events == [.next(2), .next(3), .completed])
    }

    @Test func afterTheEndThereIsTheEndAndNoValue() {
        let completed = CurrentValueSubject(0)
        completed.complete()
        completed.send(1)
        completed.value = 2
        #expect(completed.value == 0)
        #expect(completed.demand == .stop)
        #expect(Recorder(completed).events == [.completed])

        let failed = CurrentValueSubject(0, failure: TestFailure.self)
        failed.fail("broken")
        failed.complete()
        #expect(Recorder(failed).events == [.failed("broken")])
    }

    @Test func anEndSentInsideACallbackKeepsWhatComesAfterItOut() {
        let subject = CurrentValueSubject(0)
        let recorder = Recorder(subject) { value in
            if value == 1 {
                subject.complete()
                subject.send(2)
            }
            return .more
        }
        subject.send(1)
        #expect(recorder.events == [.next(0), .next(1), .completed])
        #expect(subject.value == 1)
    }

    @Test func theValueIsTheNewOneAtOnceAlsoInsideACallback() {
        let subject = CurrentValueSubject(0)
        let seen = Log<Int>()
        let sending = subject.subscribe(next: { value in
            if value == 1 {
                subject.send(2)
                seen.append(subject.value)
            }
        })
        defer { sending.dispose() }
        subject.send(1)
        #expect(seen.entries == [2])
    }

    @Test func aSubscriptionInsideACallbackHearsWhatWasSentBeforeItOnce() {
        let subject = CurrentValueSubject(0)
        let heard = Log<Int>()
        _ = subject.skip(first: 1).take(first: 1).subscribe(next: { _ in
            subject.send(2)
            _ = subject.subscribe(next: { heard.append($0) })
            subject.send(3)
        })
        subject.send(1)
        #expect(heard.entries == [2, 3])
    }

    @Test func whoWantsOnlyThePresentValueLeavesWithIt() {
        let subject = CurrentValueSubject(7)
        #expect(Recorder(subject.take(first: 1)).events == [.next(7), .completed])
    }

    @Test func whenTheQueueIsFullTheLastValueIsHeardAndTheLossIsTold() {
        let subject = CurrentValueSubject(0, limit: 2)
        let heard = Log<String>()
        let sending = subject.subscribe(
            next: { value in
                heard.append("\(value)")
                if value == 1 { for later in 2...6 { subject.send(later) } }
            },
            lost: { heard.append("lost \($0)") }
        )
        defer { sending.dispose() }
        subject.send(1)
        #expect(heard.entries == ["0", "1", "2", "lost 3", "6"])
        #expect(subject.lost == 3)
        #expect(subject.value == 6)
    }

    @Test func aSubscriptionAmongTheWaitingIsNotLostWhenTheQueueIsFull() {
        let subject = CurrentValueSubject(0, limit: 1)
        let heard = Log<Int>()
        _ = subject.skip(first: 1).take(first: 1).subscribe(next: { _ in
            subject.send(2)
            _ = subject.subscribe(next: { heard.append($0) })
            subject.send(3)
            subject.send(4)
        })
        subject.send(1)
        #expect(heard.entries == [1, 4])
        #expect(subject.value == 4)
    }

    @Test func theLastValueHeardIsTheLastOneSetWhicheverThreadSetIt() {
        for _ in 0..<100 {
            let subject = CurrentValueSubject(0)
            let recorder = Recorder(subject)
            let group = Threads()
            for sender in 1...2 {
                group.start { for value in 0..<100 { subject.send(sender * 1_000 + value) } }
            }
            group.wait()
            #expect(recorder.violations == [])
            #expect(recorder.values.count == 201)
            #expect(recorder.values.last == subject.value)
        }
    }
}
