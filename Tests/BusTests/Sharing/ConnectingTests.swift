import Bus
import BusTesting
import Testing

@Suite("multicast, publish, connect, autoconnect")
struct ConnectingTests {
    @Test func nothingIsAskedOfTheSourceBeforeItIsConnected() {
        let source = ProbeSource<Int, TestFailure>()
        let published = source.publish()
        let recorders = [Recorder(published), Recorder(published)]
        #expect(source.subscriptions == 0)
        _ = published.connect()
        source.send(1)
        source.complete()
        #expect(source.subscriptions == 1)
        for recorder in recorders { #expect(recorder.events == [.next(1), .completed]) }
    }

    @Test func connectingTwiceIsOneConnection() {
        let source = ProbeSource<Int, TestFailure>()
        let published = source.publish()
        let first = published.connect()
        let second = published.connect()
        #expect(source.subscriptions == 1)
        second.dispose()
        #expect(first.isDisposed)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func connectingAgainAfterDisposalSubscribesAnew() {
        let source = ProbeSource<Int, TestFailure>()
        let published = source.publish()
        let recorder = Recorder(published)
        published.connect().dispose()
        source.send(1)
        _ = published.connect()
        source.send(2)
        #expect(source.subscriptions == 2)
        #expect(recorder.events == [.next(2)])
    }

    @Test func afterTheEndThereIsNothingToConnect() {
        let source = ProbeSource<Int, TestFailure>()
        let published = source.publish()
        let handle = published.connect()
        source.fail("broken")
        #expect(handle.isDisposed)
        #expect(published.connect().isDisposed)
        #expect(source.subscriptions == 1)
        #expect(Recorder(published).events == [.failed("broken")])
    }

    @Test func aSubscriberThatComesWhileTheFirstConnectsAndLeavesIsConnected() {
        let emitters = Log<Emitter<Int, Never>>()
        let shared = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            emitter.send(1)
            return nil
        }
        .publish().autoconnect()
        let heard = Log<Int>()
        _ = shared.take(first: 1).subscribe(
            next: { _ in },
            completed: { _ = shared.subscribe(next: { value in heard.append(value) }) }
        )
        for emitter in emitters.entries { emitter.send(2) }
        #expect(heard.entries == [1, 2])
    }

    @Test func theSubjectDecidesWhatALateSubscriberHears() {
        let replaying = Signals.from(1...3).multicast(into: ReplaySubject(of: Int.self, capacity: 2))
        _ = replaying.connect()
        #expect(Recorder(replaying).events == [.next(2), .next(3), .completed])

        let source = ProbeSource<Int, Never>()
        let current = source.multicast(into: CurrentValueSubject(0))
        _ = current.connect()
        source.send(5)
        #expect(Recorder(current).events == [.next(5)])
    }

    @Test func aSubjectThatIsEndedByHandReleasesTheSource() {
        let source = ProbeSource<Int, Never>()
        let subject = Subject(of: Int.self)
        _ = source.multicast(into: subject).connect()
        subject.complete()
        source.send(1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aPausedSourceLearnsThatTheSubjectHasEnded() {
        let emitters = Log<Emitter<Int, Never>>()
        let resource = ActionDisposable {}
        let source = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            return resource
        }
        let subject = Subject(of: Int.self)
        let slow = PausingRecorder(subject, after: 1)
        _ = source.multicast(into: subject).connect()
        #expect(emitters.entries.map { $0.send(1) } == [.pause])
        subject.complete()
        #expect(emitters.entries.map { $0.send(9) } == [.stop])
        #expect(resource.isDisposed)
        #expect(slow.events == [.next(1), .completed])
    }

    @Test func twoThreadsThatConnectSubscribeOnce() {
        for _ in 0..<50 {
            let source = ProbeSource<Int, Never>()
            let published = source.publish()
            let group = Threads()
            for _ in 0..<3 { group.start { _ = published.connect() } }
            group.wait()
            #expect(source.subscriptions == 1)
        }
    }

    @Test func autoconnectLastsFromTheFirstSubscriberToTheLast() {
        let source = ProbeSource<Int, TestFailure>()
        let shared = source.publish().autoconnect()
        #expect(source.subscriptions == 0)
        let first = Recorder(shared)
        let second = Recorder(shared)
        #expect(source.subscriptions == 1)
        first.dispose()
        #expect(source.liveSubscriptions == 1)
        second.dispose()
        #expect(source.liveSubscriptions == 0)
    }

    @Test func autoconnectConnectsAgainForWhoComesAfterTheLastOneLeft() {
        let source = ProbeSource<Int, TestFailure>()
        let shared = source.multicast(into: ReplaySubject(failure: TestFailure.self, capacity: 1)).autoconnect()
        let first = Recorder(shared)
        source.send(1)
        first.dispose()
        let second = Recorder(shared)
        source.send(2)
        #expect(source.subscriptions == 2)
        #expect(second.events == [.next(1), .next(2)])
    }

    @Test func autoconnectDoesNotConnectAgainAfterTheEnd() {
        let source = ProbeSource<Int, TestFailure>()
        let shared = source.publish().autoconnect()
        let first = Recorder(shared)
        source.complete()
        #expect(first.events == [.completed])
        #expect(Recorder(shared).events == [.completed])
        #expect(source.subscriptions == 1)
    }

    @Test func theChainSaysHowItIsShared() {
        let shared = Signals.from(1...3).map { $0 }.publish().autoconnect()
        #expect("\(shared.chain)" == "[sequence] map → multicast → autoconnect")
    }

    @Test func aConnectionIsFreedWithItsSource() {
        var source: ProbeSource<Int, Never>? = ProbeSource()
        var kept: [any Disposable] = []
        let isHeld = isKept { canary in
            if let published = source?.publish() {
                kept.append(published.subscribe(next: { _ in canary.sing() }))
                kept.append(published.connect())
            }
            source = nil
        }
        #expect(!isHeld)
        for handle in kept { handle.dispose() }
    }
}
