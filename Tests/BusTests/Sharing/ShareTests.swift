import Bus
import BusTesting
import Testing

@Suite("share(replay:while:)")
struct ShareTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test(arguments: [(0, []), (1, [2]), (2, [1, 2])])
    func whoComesWhileOthersListenHearsTheLastValues(count: Int, replayed: [Int]) {
        for scope in [ShareScope.whileConnected, .forever] {
            let source = Source()
            let shared = source.share(replay: count, while: scope)
            let first = Recorder(shared)
            source.send(1)
            source.send(2)
            let second = Recorder(shared)
            source.send(3)
            #expect(source.subscriptions == 1)
            #expect(first.values == [1, 2, 3])
            #expect(second.values == replayed + [3])
        }
    }

    @Test func whileConnectedWhoComesAfterTheLastOneLeftStartsFromScratch() {
        let source = Source()
        let shared = source.share(replay: 2)
        let first = Recorder(shared)
        source.send(1)
        first.dispose()
        #expect(source.liveSubscriptions == 0)
        let second = Recorder(shared)
        source.send(2)
        #expect(source.subscriptions == 2)
        #expect(second.values == [2])
    }

    @Test func whileConnectedWhoComesAfterTheEndSubscribesAnew() {
        let source = Source()
        let shared = Signals.from(1...3).map { value in
            source.send(value)
            return value
        }.share(replay: 1)
        let runs = Recorder(source)
        #expect(Recorder(shared).events == [.next(1), .next(2), .next(3), .completed])
        #expect(Recorder(shared).events == [.next(1), .next(2), .next(3), .completed])
        #expect(runs.values == [1, 2, 3, 1, 2, 3])
    }

    @Test func foreverWhoComesAfterTheLastOneLeftHearsWhatWasKeptAndANewSubscription() {
        let source = Source()
        let shared = source.share(replay: 1, while: .forever)
        let first = Recorder(shared)
        source.send(1)
        source.send(2)
        first.dispose()
        let second = Recorder(shared)
        source.send(3)
        #expect(source.subscriptions == 2)
        #expect(second.values == [2, 3])
    }

    @Test(arguments: [(0, []), (2, [2, 3])])
    func foreverWhoComesAfterTheEndHearsWhatWasKeptAndTheEnd(count: Int, kept: [Int]) {
        let source = Source()
        let shared = source.share(replay: count, while: .forever)
        let first = Recorder(shared)
        for value in 1...3 { source.send(value) }
        source.fail("broken")
        #expect(first.events == [.next(1), .next(2), .next(3), .failed("broken")])
        #expect(Recorder(shared).events == kept.map { .next($0) } + [.failed("broken")])
        #expect(source.subscriptions == 1)
    }

    @Test func theLastSubscriberThatHasEnoughReleasesTheSourceBeforeItsEnd() {
        for scope in [ShareScope.whileConnected, .forever] {
            let source = Source()
            let held = Log<Int>()
            let shared = source.share(while: scope)
            _ = shared.take(first: 1).subscribe(
                next: { _ in },
                failed: { _ in },
                completed: { held.append(source.liveSubscriptions) }
            )
            _ = shared.take(first: 2).subscribe(
                next: { _ in },
                failed: { _ in },
                completed: { held.append(source.liveSubscriptions) }
            )
            source.send(1)
            source.send(2)
            #expect(held.entries == [1, 0])
        }
    }

    @Test func anEndlessSynchronousSourceStopsWithItsLastSubscriber() {
        let shared = Signals.from(sequence(first: 1) { $0 &+ 1 }).share()
        #expect(Recorder(shared.take(first: 3)).events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func whoSubscribesWhenItHearsTheEndStartsFromScratch() {
        let source = Source()
        let shared = source.share(replay: 1)
        let again = Log<Recorder<Int, TestFailure>>()
        _ = shared.subscribe(next: { _ in }, failed: { _ in }, completed: { again.append(Recorder(shared)) })
        source.complete()
        #expect(again.entries.count == 1)
        // A probe that has ended sends its end again, so it was asked a second time.
        #expect(source.subscriptions == 2)
        #expect(again.entries.first?.events == [.completed])
    }

    @Test func whoSubscribesWhenAnEarlierOneHearsTheEndIsNotLeftByTheOthers() {
        let sources = [Source(), Source()]
        let runs = Lock(0)
        let shared = Signals.deferred {
            sources[
                runs.withLock { runs in
                    defer { runs += 1 }
                    return runs
                }
            ]
        }.share()
        let again = Log<Recorder<Int, TestFailure>>()
        _ = shared.subscribe(
            next: { _ in },
            failed: { _ in },
            completed: { for _ in 0..<2 { again.append(Recorder(shared)) } }
        )
        let other = Recorder(shared)
        sources[0].complete()
        #expect(other.hasEnded)
        sources[1].send(1)
        #expect(again.entries.map(\.values) == [[1], [1]])
        #expect(sources.map(\.subscriptions) == [1, 1])
        #expect(sources[1].liveSubscriptions == 1)
    }

    @Test func twoSharesOfOneAndADiamondEndWithoutADeadlock() {
        let source = Source()
        let shared = source.share(replay: 1)
        let recorder = Recorder(shared.take(first: 1).merge(shared.map { $0 * 10 }))
        source.send(1)
        source.send(2)
        source.complete()
        #expect(recorder.violations == [])
        #expect(recorder.events == [.next(1), .next(10), .next(20), .completed])
    }

    @Test func aSharedSubscriptionIsFreedByDisposalAndWithTheSource() {
        for scope in [ShareScope.whileConnected, .forever] {
            let source = Source()
            let isHeldAfterDisposal = isKept { canary in
                let handle = source.share(replay: 2, while: scope).subscribe(
                    next: { _ in canary.sing() },
                    failed: { _ in }
                )
                source.send(1)
                handle.dispose()
            }
            #expect(!isHeldAfterDisposal)

            var other: Source? = Source()
            var handle: (any Disposable)?
            let isHeldAfterDrop = isKept { canary in
                handle = other?.share(replay: 2, while: scope).subscribe(next: { _ in canary.sing() }, failed: { _ in })
                other?.send(1)
                other = nil
            }
            #expect(!isHeldAfterDrop)
            handle?.dispose()
        }
    }

    @Test func manyComeAndGoOnSeveralThreads() {
        for scope in [ShareScope.whileConnected, .forever] {
            let source = Source()
            let shared = source.share(replay: 3, while: scope)
            let recorders = Log<Recorder<Int, TestFailure>>()
            let group = Threads()
            group.start { for value in 0..<2_000 { source.send(value) } }
            for _ in 0..<2 {
                group.start {
                    for _ in 0..<200 {
                        let recorder = Recorder(shared)
                        recorders.append(recorder)
                        recorder.dispose()
                        recorder.dispose()
                    }
                }
            }
            group.wait()
            #expect(source.liveSubscriptions == 0)
            for recorder in recorders.entries { #expect(recorder.violations == []) }
            let last = Recorder(shared)
            source.send(5_000)
            #expect(last.values.last == 5_000)
        }
    }
}
