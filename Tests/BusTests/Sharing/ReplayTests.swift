import Bus
import BusTesting
import Testing

@Suite("replay, replayLast, replayLazily")
struct ReplayTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func replaySubscribesAtOnceAndOnlyOnce() {
        let source = Source()
        let replayed = source.replay(capacity: 2)
        #expect(source.subscriptions == 1)
        for value in 1...3 { source.send(value) }
        #expect(Recorder(replayed).values == [2, 3])
        source.complete()
        #expect(Recorder(replayed).events == [.next(2), .next(3), .completed])
        #expect(source.subscriptions == 1)
    }

    @Test func replayLastKeepsOneValue() {
        let source = Source()
        let replayed = source.replayLast()
        #expect(source.subscriptions == 1)
        source.send(1)
        source.send(2)
        let late = Recorder(replayed)
        source.send(3)
        #expect(late.values == [2, 3])
    }

    @Test func replayLazilyWaitsForTheFirstSubscriberAndGoesOnAfterTheLast() {
        let source = Source()
        let replayed = source.replayLazily(capacity: 1)
        #expect(source.subscriptions == 0)
        let first = Recorder(replayed)
        source.send(1)
        first.dispose()
        source.send(2)
        #expect(Recorder(replayed).values == [2])
        #expect(source.subscriptions == 1)
    }

    @Test func theFirstLazySubscriberHearsAllOfASynchronousSource() {
        let replayed = Signals.from(1...4).replayLazily(capacity: 1)
        #expect(Recorder(replayed).values == [1, 2, 3, 4])
        #expect(Recorder(replayed).events == [.next(4), .completed])
    }

    @Test func theSourceIsReleasedWithTheSignalAndTheLastSubscription() {
        let source = Source()
        var recorder: Recorder<Int, TestFailure>?
        do {
            let replayed = source.replay(capacity: 1)
            recorder = Recorder(replayed)
        }
        source.send(1)
        #expect(source.liveSubscriptions == 1)
        #expect(recorder?.values == [1])
        recorder?.dispose()
        #expect(source.liveSubscriptions == 0)

        do { _ = source.replay(capacity: 1) }
        #expect(source.liveSubscriptions == 0)
    }

    @Test func itIsFreedWithItsSourceThoughTheHandleIsKept() {
        var source: Source? = Source()
        var handle: (any Disposable)?
        let isHeld = isKept { canary in
            handle = source?.replayLazily(capacity: 3).subscribe(next: { _ in canary.sing() }, failed: { _ in })
            source?.send(1)
            source = nil
        }
        #expect(!isHeld)
        handle?.dispose()
    }

    @Test func manySubscribeToALazyReplayAtOnce() {
        for _ in 0..<50 {
            let source = Source()
            let replayed = source.replayLazily(capacity: 10)
            let group = Threads()
            let recorders = Log<Recorder<Int, TestFailure>>()
            for _ in 0..<3 { group.start { recorders.append(Recorder(replayed)) } }
            group.wait()
            source.send(1)
            #expect(source.subscriptions == 1)
            #expect(recorders.entries.map(\.values) == [[1], [1], [1]])
        }
    }
}
