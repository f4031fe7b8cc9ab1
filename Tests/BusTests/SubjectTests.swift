import Bus
import BusTesting
import Testing

@Suite("Subject")
struct SubjectTests {
    @Test func aSubscriberHearsWhatIsSentAfterItSubscribed() {
        let subject = Subject(of: Int.self)
        subject.send(1)
        let recorder = Recorder(subject)
        subject.send(2)
        subject.complete()
        subject.send(3)
        #expect(recorder.events == [.next(2), .completed])
    }

    @Test func aLateSubscriberHearsTheEndAtOnce() {
        let completed = Subject(of: Int.self, failure: TestFailure.self)
        completed.complete()
        #expect(Recorder(completed).events == [.completed])
        let failed = Subject(of: Int.self, failure: TestFailure.self)
        failed.fail("broken")
        #expect(Recorder(failed).events == [.failed("broken")])
    }

    @Test func subscribersAreServedInTheOrderTheySubscribed() {
        let subject = Subject(of: Int.self)
        let heard = Log<String>()
        let handles = ["a", "b", "c"].map { name in
            subject.subscribe(next: { heard.append("\(name)\($0)") })
        }
        subject.send(1)
        handles[0].dispose()
        _ = subject.subscribe(next: { heard.append("d\($0)") })
        subject.send(2)
        #expect(heard.entries == ["a1", "b1", "c1", "b2", "c2", "d2"])
    }

    @Test func whatIsSentInsideASubscriberFollowsForAllOfThem() {
        let subject = Subject(of: Int.self)
        let heard = Log<String>()
        _ = subject.subscribe(next: { value in
            heard.append("a\(value)")
            if value < 100 {
                subject.send(value * 10)
                subject.send(value * 20)
            }
        })
        _ = subject.subscribe(next: { heard.append("b\($0)") })
        subject.send(10)
        #expect(heard.entries == ["a10", "b10", "a100", "b100", "a200", "b200"])
        // Its subscribers hold it. Its end releases them.
        subject.complete()
    }

    @Test func aMillionReentrantSendsNeedNoStack() {
        let rounds = deepRounds()
        let subject = Subject(of: Int.self)
        let last = Log<Int>()
        _ = subject.subscribe(next: { value in
            if value < rounds { subject.send(value + 1) } else { last.append(value) }
        })
        subject.send(0)
        #expect(last.entries == [rounds])
        subject.complete()
    }

    @Test func allSubscribersSeeTheSameOrderFromManySenders() {
        let subject = Subject(of: Int.self)
        let recorders = (0..<3).map { _ in Recorder(subject) }
        let group = Threads()
        for sender in 0..<4 {
            group.start {
                for value in 0..<2_000 { subject.send(sender * 10_000 + value) }
            }
        }
        group.wait()
        #expect(recorders[0].values.count == 8_000)
        for recorder in recorders {
            #expect(recorder.violations == [])
            #expect(recorder.values == recorders[0].values)
        }
    }

    @Test func aFullQueueLosesTheNewestAndCountsIt() {
        let subject = Subject(of: Int.self, limit: 2)
        let recorder = Recorder(subject) { value in
            if value == 0 { for next in 1...5 { subject.send(next) } }
            return .more
        }
        subject.send(0)
        #expect(recorder.values == [0, 1, 2])
        #expect(subject.lost == 3)
        subject.complete()
    }

    @Test func subscribingInsideASubscriberHearsTheNextEvent() {
        let subject = Subject(of: Int.self)
        let heard = Log<Int>()
        _ = subject.take(first: 1).subscribe(next: { _ in
            _ = subject.subscribe(next: { heard.append($0) })
        })
        subject.send(1)
        subject.send(2)
        #expect(heard.entries == [2])
        subject.complete()
    }

    @Test func twoThreadsSendWhileAThirdDisposes() {
        for _ in 0..<200 {
            let subject = Subject(of: Int.self)
            let recorder = Recorder(subject.map { $0 + 1 }.filter { $0 % 3 != 0 })
            let group = Threads()
            for _ in 0..<2 {
                group.start { for value in 0..<200 { subject.send(value) } }
            }
            group.start { recorder.dispose() }
            group.wait()
            #expect(recorder.violations == [])
            #expect(recorder.eventsAfterDisposal <= 1)
        }
    }

    @Test func aStopAnsweredToAWaitingValueEndsItThoughNobodySendsAgain() {
        let source = ProbeSource<Int, Never>()
        let recorder = Recorder(source.merge(Signals.never(Int.self)).take(first: 2)) { value in
            // The second value is queued behind the first, so no sender is there to be told of the stop.
            if value == 1 { source.send(2) }
            return .more
        }
        source.send(1)
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(source.liveSubscriptions == 0)
    }
}
