import Bus
import BusTesting
import Testing

@Suite("race, concat, merge, then, prepend, append")
struct RaceAndConcatTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func theFirstToSendWinsAndTheOthersAreReleased() {
        let sources = (0..<3).map { _ in Source() }
        let recorder = Recorder(Signals.race(sources))
        sources[1].send(1)
        #expect(sources.map(\.liveSubscriptions) == [0, 1, 0])
        sources[0].send(9)
        sources[1].send(2)
        sources[1].complete()
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test func anEndWinsToo() {
        let (a, b) = (Source(), Source())
        let completed = Recorder(a.race(b))
        a.complete()
        #expect(completed.events == [.completed])
        #expect(b.liveSubscriptions == 0)
        let failed = Recorder(Source().race(Signals.fail(TestFailure("first"), of: Int.self)))
        #expect(failed.events == [.failed("first")])
    }

    @Test func aSynchronousSignalKeepsTheRestUnsubscribed() {
        let second = ProbeSource<Int, Never>()
        #expect(Recorder(Signals.race(Signals.from(1...2), second)).events == [.next(1), .next(2), .completed])
        #expect(second.subscriptions == 0)
    }

    @Test func aRaceOfNobodyCompletes() {
        #expect(Recorder(Signals.race([Source]())).events == [.completed])
    }

    @Test func twoThreadsRaceAndOneWins() {
        for _ in 0..<200 {
            let (a, b) = (Subject(of: Int.self), Subject(of: Int.self))
            let recorder = Recorder(a.race(b))
            let threads = Threads()
            threads.start { for value in 0..<20 { a.send(value) } }
            threads.start { for value in 100..<120 { b.send(value) } }
            threads.wait()
            #expect(recorder.violations == [])
            #expect(recorder.values == Array(0..<20) || recorder.values == Array(100..<120))
        }
    }

    @Test func whatTheWinnerLostBeforeItSpokeIsHeard() {
        let (a, b) = (Source(), Source())
        let heard = Log<String>()
        let handle = a.race(b).subscribe(
            next: { heard.append("\($0)") },
            failed: { _ in },
            lost: { heard.append("lost \($0)") }
        )
        a.sendLoss(of: 1)
        b.sendLoss(of: 2)
        b.sendLoss(of: 3)
        b.send(1)
        b.sendLoss(of: 4)
        #expect(heard.entries == ["lost 5", "1", "lost 4"])
        handle.dispose()
    }

    @Test func disposedOfBeforeAnybodySpokeNothingIsHeard() {
        let source = RawSource<Int, Never>()
        let heard = Log<String>()
        let handle = source.race(Signals.never(Int.self))
            .subscribe(next: { heard.append("\($0)") }, lost: { heard.append("lost \($0)") })
        source.sendLoss(of: 1)
        handle.dispose()
        #expect(source.send(1) == .stop)
        source.complete()
        #expect(heard.entries == [])
    }

    @Test func disposingInsideTheFirstSignalKeepsTheNextUnheard() {
        let first = Subject(of: Int.self)
        let log = Log<Int>()
        let subscription = SerialDisposable()
        subscription.set(
            first.take(first: 1).concat(Signals.from(10...12)).subscribe(next: { value in
                log.append(value)
                if value == 10 { subscription.dispose() }
            })
        )
        first.send(1)
        #expect(log.entries == [1, 10])
    }

    @Test func aStopAtTheEndOfOneSignalKeepsTheNextUnsubscribed() {
        let second = ProbeSource<Int, Never>()
        #expect(Recorder(Signals.from(1...2).concat(second).take(first: 2)).events == [.next(1), .next(2), .completed])
        #expect(second.subscriptions == 0)
    }

    @Test func disposedOfWhileItWaitsForRoomItLetsGoOfItsObserver() {
        var handle: (any Disposable)?
        let isHeld = isKept { canary in
            // The observer keeps the callback of the concatenation, which keeps the observer.
            let resumes = Log<@Sendable () -> Void>()
            let observer = AnsweringObserver<Int>(
                onEnd: { canary.sing() },
                onDemand: { .pause },
                onWait: { resume in
                    resumes.append(resume)
                    return .pause
                }
            )
            handle = Signals.just(1).concat(Signals.just(2)).subscribe(observer)
            #expect(resumes.entries.count == 1)
            handle?.dispose()
        }
        #expect(!isHeld)
    }

    @Test func aLazySequenceOfSignalsIsWalkedAsFarAsWanted() {
        let made = Log<Int>()
        let signals = (0..<100).lazy.map { number -> AnySignal<Int, Never> in
            made.append(number)
            return Signals.just(number).eraseToAnySignal()
        }
        let concat = Signals.concat(AnySequence { signals.makeIterator() }.sendable)
        #expect(Recorder(concat.take(first: 2)).values == [0, 1])
        #expect(made.entries == [0, 1])
    }

    @Test func thenSaysOnlyWhatFollows() {
        let (a, b) = (Source(), ProbeSource<String, TestFailure>())
        let recorder = Recorder(a.then(b))
        a.send(1)
        #expect(b.subscriptions == 0)
        a.complete()
        b.send("x")
        b.complete()
        #expect(recorder.events == [.next("x"), .completed])
    }

    @Test func thenOfAFailureSubscribesToNothing() {
        let next = Source()
        #expect(Recorder(Signals.fail(TestFailure("no"), of: Int.self).then(next)).events == [.failed("no")])
        #expect(next.subscriptions == 0)
    }

    @Test func valuesArePutBeforeAndAfter() {
        let source = Source()
        let recorder = Recorder(source.prepend(1, 2).append(8, 9))
        #expect(recorder.values == [1, 2])
        source.send(5)
        source.complete()
        #expect(recorder.events == [.next(1), .next(2), .next(5), .next(8), .next(9), .completed])
    }

    @Test func nothingIsAppendedToAFailure() {
        let source = Source()
        let recorder = Recorder(source.append(9))
        source.fail("broke")
        #expect(recorder.events == [.failed("broke")])
    }

    @Test func disposingInsideTheFirstAppendedValueIsTheEnd() {
        let source = Source()
        let log = Log<Int>()
        let subscription = SerialDisposable()
        subscription.set(
            source.append(1, 2).subscribe(
                next: { value in
                    log.append(value)
                    subscription.dispose()
                },
                failed: { _ in }
            )
        )
        source.complete()
        #expect(log.entries == [1])
    }

    @Test func aMillionTurnsOfThenNeedNoStack() {
        let turn = Signals.empty(Int.self).then(Signals.empty(Int.self))
        #expect(Recorder(Signals.concat(repeatElement(turn, count: deepRounds()))).events == [.completed])
        let some = deepRounds(stress: 200_000)
        let prepended = Signals.concat(repeatElement(Signals.empty(Int.self).prepend(1), count: some))
        #expect(Recorder(prepended.skip(first: some - 1)).events == [.next(1), .completed])
    }

    @Test func twoDifferentlyTypedSignalsMerge() {
        let (a, b) = (Source(), Source())
        let recorder = Recorder(a.map { $0 * 2 }.merge(b.filter { $0 > 0 }))
        a.send(1)
        b.send(-1)
        b.send(3)
        #expect(recorder.values == [2, 3])
    }

    @Test func theyDescribeThemselves() {
        let (one, two) = (Signals.just(1), Signals.just(2))
        #expect("\(one.concat(two).chain)" == "[concat([just], [just])]")
        #expect("\(one.merge(two).chain)" == "[merge([just], [just])]")
        #expect("\(one.race(two).chain)" == "[race([just], [just])]")
        #expect("\(one.then(two).chain)" == "[concat([just] ignoreValues, [just])]")
    }
}

extension AnySequence {
    /// For a sequence that one test iterates over on one thread.
    fileprivate var sendable: Unshared<Element> { Unshared(sequence: self) }
}

private struct Unshared<Element>: Sequence, @unchecked Sendable {
    // Iterated over by one test on one thread.
    let sequence: AnySequence<Element>

    func makeIterator() -> AnySequence<Element>.Iterator { sequence.makeIterator() }
}
