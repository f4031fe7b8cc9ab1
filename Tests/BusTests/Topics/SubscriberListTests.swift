import BusTesting
import TestSupport
import Testing

@testable import Bus

extension Topic where Value == Int {
    fileprivate static let numbers = Topic("test.numbers")
    fileprivate static let keptThree = Topic("test.kept-three", keeping: .last(3))
}

@Suite("A bus lists its subscribers")
struct SubscriberListTests {
    let bus = NotificationBus()

    private var only: SubscriberDescription? { bus.subscribers.count == 1 ? bus.subscribers.first : nil }

    // MARK: What an entry says

    @Test func aSubscriberThatPausesSaysWhatWaitsAndWhatWasLost() throws {
        let slow = PausingRecorder(bus.signal(for: .numbers, limit: 3), after: 2)
        let line = UInt(#line - 1)
        let fresh = try #require(only)
        #expect(fresh.topic == "test.numbers")
        #expect(fresh.scope == "")
        #expect(fresh.location == CodeLocation(fileID: #fileID, line: line))
        #expect(fresh.limit == 3)
        #expect(fresh.paused == nil && fresh.lag == nil)
        expect(fresh, waiting: 0, highWater: 0, lost: 0, delivered: 0)

        for value in 1...7 { bus.post(value, to: .numbers) }
        let full = try #require(only)
        expect(full, waiting: 3, highWater: 3, lost: 2, delivered: 2)
        #expect(full.paused != nil && full.lag != nil)

        slow.release(1)
        let draining = try #require(only)
        expect(draining, waiting: 2, highWater: 3, lost: 2, delivered: 3)
        #expect(draining.paused != nil && draining.lag != nil)

        slow.release()
        let done = try #require(only)
        expect(done, waiting: 0, highWater: 3, lost: 2, delivered: 5)
        #expect(done.paused == nil && done.lag == nil)
        #expect(slow.values == [1, 2, 5, 6, 7])
    }

    @Test func aPatternSubscriberSaysTheSame() throws {
        let signal = bus.envelopes(matching: "test.*", of: Int.self, limit: 2, overflow: .dropNewest)
        let line = UInt(#line - 1)
        let slow = PausingRecorder(signal, after: 1)
        #expect(only?.topic == "test.*")
        #expect(only?.location == CodeLocation(fileID: #fileID, line: line))
        for value in 1...5 { bus.post(value, to: .numbers) }
        let full = try #require(only)
        expect(full, waiting: 2, highWater: 2, lost: 2, delivered: 1)
        #expect(full.paused != nil && full.lag != nil)
        slow.release()
        let done = try #require(only)
        expect(done, waiting: 0, highWater: 2, lost: 2, delivered: 3)
        #expect(done.paused == nil && done.lag == nil)
    }

    @Test(arguments: 0..<3)
    func theLagIsTheAgeOfTheOldestWaitingValue(kind: Int) throws {
        let signals = [
            bus.envelopes(for: .numbers).eraseToAnySignal(),
            bus.envelopes(matching: ">", of: Int.self).eraseToAnySignal(),
        ]
        let begun = MonotonicTime.nanoseconds
        let slow = PausingRecorder(
            kind < 2 ? signals[kind].map(\.value).eraseToAnySignal() : bus.signal(for: .numbers).eraseToAnySignal(),
            after: 0
        )
        let before = MonotonicTime.nanoseconds
        bus.post(1, to: .numbers)
        let after = MonotonicTime.nanoseconds
        bus.post(2, to: .numbers)
        let asked = MonotonicTime.nanoseconds
        let subscriber = try #require(only)
        let answered = MonotonicTime.nanoseconds
        let lag = try #require(subscriber.lag)
        let paused = try #require(subscriber.paused)
        #expect(lag >= .nanoseconds(asked - after))
        // Bare values have no time, so the time of the pause is used.
        #expect(lag <= .nanoseconds(answered - (kind < 2 ? before : begun)))
        #expect(paused <= .nanoseconds(answered - begun) && paused >= .nanoseconds(asked - before))
        slow.dispose()
    }

    @Test func whatIsKeptForANewcomerCountsAsDeliveredAndWhatIsMissingDoesNot() {
        for value in 1...5 { bus.post(value, to: .keptThree) }
        let values = Recorder(bus.signal(for: .keptThree))
        let all = Recorder(bus.envelopes(for: .keptThree))
        let later = Recorder(bus.envelopes(for: .keptThree, after: 4))
        let pattern = Recorder(bus.envelopes(matching: "test.>"))
        #expect(bus.subscribers.map(\.delivered) == [3, 3, 1, 3])
        let source = ProbeSource(of: Int.self, failure: Never.self)
        let handle = source.post(to: .keptThree, on: bus)
        source.sendLoss(of: 10)
        source.send(6)
        #expect(bus.subscribers.map(\.delivered) == [4, 4, 2, 4])
        #expect(bus.subscribers.map(\.lost) == [0, 0, 0, 0])
        #expect(
            values.values.count == 4 && all.values.count == 4 && later.values.count == 2 && pattern.values.count == 4
        )
        handle.dispose()
    }

    @Test func theEndReportsWhatIsMissingIfNoValueDoes() {
        for value in 1...5 { bus.post(value, to: .numbers) }
        let later = Recorder(bus.envelopes(for: .numbers, after: 2).map(\.value))
        let present = Recorder(bus.envelopes(for: .numbers, after: 5).map(\.value))
        bus.close()
        #expect(later.events == [.completed] && later.lost == 3)
        #expect(present.events == [.completed] && present.lost == 0)
    }

    // MARK: Which entries there are

    @Test func childrenAreIncluded() {
        let child = bus.child(named: "web")
        let grandchild = child.child(named: "42")
        let recorders = [grandchild, child, bus].map { Recorder($0.signal(for: .numbers)) }
        #expect(bus.subscribers.map(\.scope) == ["", "web", "web/42"])
        #expect(child.subscribers.map(\.scope) == ["web", "web/42"])
        grandchild.post(1, to: .numbers)
        #expect(bus.subscribers.map(\.delivered) == [1, 1, 1])
        for recorder in recorders { recorder.dispose() }
        #expect(bus.subscribers == [])
    }

    @Test func entriesGoWithTheSubscription() {
        let handles = CompoundDisposable()
        bus.signal(for: .numbers).subscribe().store(in: handles)
        bus.envelopes(for: .numbers).subscribe().store(in: handles)
        bus.envelopes(matching: ">").subscribe().store(in: handles)
        #expect(bus.subscribers.count == 3)
        handles.dispose()
        #expect(bus.subscribers == [])
        let first = Recorder(bus.signal(for: .numbers).take(first: 1))
        let second = Recorder(bus.envelopes(matching: ">").take(first: 1))
        #expect(bus.subscribers.count == 2)
        bus.post(1, to: .numbers)
        #expect(bus.subscribers == [])
        #expect(first.hasEnded && second.hasEnded)
    }

    @Test func entriesGoWithTheirBus() {
        var recorders: [PausingRecorder<Int, Never>] = []
        do {
            let child = bus.child(named: "web")
            recorders.append(PausingRecorder(child.signal(for: .numbers), after: 0))
            recorders.append(PausingRecorder(child.envelopes(for: .numbers).map(\.value), after: 0))
            child.post(1, to: .numbers)
            #expect(bus.subscribers.map(\.waiting) == [1, 1])
        }
        #expect(bus.subscribers == [])
        for recorder in recorders { recorder.dispose() }
    }

    @Test func aClosedBusListsThoseWhoHaveNotHeardAll() {
        let fast = Recorder(bus.signal(for: .numbers))
        let slow = PausingRecorder(bus.signal(for: .numbers), after: 0)
        let pattern = PausingRecorder(bus.envelopes(matching: ">", of: Int.self), after: 0)
        bus.post(1, to: .numbers)
        bus.close()
        #expect(fast.hasEnded)
        #expect(bus.subscribers.map(\.waiting) == [1, 1])
        slow.release()
        pattern.release()
        #expect(slow.hasEnded && pattern.hasEnded)
        #expect(bus.subscribers == [])
        let late = Recorder(bus.signal(for: .numbers))
        #expect(late.hasEnded && bus.subscribers == [])
    }

    @Test func theListIsKeptInOrderWhileThreadsComeAndGo() {
        let bus = bus
        let rounds = Stress.rounds(200, stress: 5_000)
        let last = Log<any Disposable>()
        let group = Threads()
        for thread in 0..<8 {
            group.start {
                for round in 0..<rounds {
                    let handle =
                        switch (thread + round) % 3 {
                        case 0: bus.signal(for: .numbers, limit: 1).subscribe()
                        case 1: bus.envelopes(for: .keptThree, limit: 1).subscribe()
                        default: bus.envelopes(matching: "test.*", limit: 1).subscribe()
                        }
                    bus.post(round, to: round % 2 == 0 ? .numbers : .keptThree)
                    if round % 16 == 0 { _ = bus.subscribers }
                    if round == rounds - 1 { last.append(handle) } else { handle.dispose() }
                }
            }
        }
        group.wait()
        #expect(bus.subscribers.count == 8)
        for handle in last.entries { handle.dispose() }
        #expect(bus.subscribers == [])
    }

    private func expect(
        _ subscriber: SubscriberDescription,
        waiting: Int,
        highWater: Int,
        lost: Int,
        delivered: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(subscriber.waiting == waiting, sourceLocation: sourceLocation)
        #expect(subscriber.highWater == highWater, sourceLocation: sourceLocation)
        #expect(subscriber.lost == lost, sourceLocation: sourceLocation)
        #expect(subscriber.delivered == delivered, sourceLocation: sourceLocation)
    }
}

@Suite("How the list of subscribers is computed")
struct SubscriberListPartsTests {
    @Test func theBoundOfWaitingTimesAdvancesOnceWhatWaitedAtAPauseHasLeft() {
        var times = WaitingTimes()
        // Nothing is queued at the first pause, at 100.
        times.pause(at: 100, left: 0, entered: 0)
        #expect(times.bound(left: 0) == 100)
        // Five have entered since, and two have left.
        times.pause(at: 200, left: 2, entered: 5)
        #expect(times.bound(left: 2) == 100)
        #expect(times.bound(left: 5) == 200)
        // Not all five have left, so the time is not noted.
        times.pause(at: 300, left: 4, entered: 6)
        #expect(times.bound(left: 5) == 200)
        times.pause(at: 400, left: 6, entered: 9)
        #expect(times.bound(left: 6) == 200)
        #expect(times.bound(left: 9) == 400)
        times.pause(at: 500, left: 9, entered: 9)
        #expect(times.bound(left: 9) == 500)
    }

    @Test func theFirstTopicsAreFoundWithoutSortingAll() {
        var smallest = Smallest<Int>(3, by: <)
        for number in [9, 4, 7, 1, 8, 2, 6, 3, 5, 0] { smallest.add(number) }
        #expect(Array(smallest.sorted) == [0, 1, 2])
        var few = Smallest<Int>(3, by: <)
        for number in [2, 1] { few.add(number) }
        #expect(Array(few.sorted) == [1, 2])
    }

    @Test func aTypeTellsItsChain() {
        func chain<Source: Signal>(_ signal: Source) -> String { Source.chain.description }
        let numbers = Signals.from([1, 2])
        let thread = ThreadScheduler(name: "main")
        #expect(chain(numbers) == "[sequence<Array>]")
        #expect(
            chain(numbers.map { "\($0)" }.filter { !$0.isEmpty }.take(first: 3).named("x").deliver(on: thread))
                == "[sequence<Array>] map → filter → take(first:) → deliver(on:)"
        )
        #expect(chain(Subject(of: Int.self).map { $0 }) == "[subject<Int>] map")
        #expect(chain(numbers.eraseToAnySignal().map { $0 }) == "[any<Int>] map")
        #expect(chain(NotificationBus().signal(for: .numbers).map { $0 }) == "[topicValues<Int>] map")
        #expect(chain(NotificationBus().envelopes(matching: ">")) == "[pattern]")
        #expect(
            chain(numbers.zip(numbers.map { $0 }).min(by: <).repeat(3))
                == "[zip([sequence<Array>], [sequence<Array>] map)] min, max or last → repeat"
        )
        #expect(chain(AnySignal(numbers.enumerated()).map { $0 }) == "[any<(offset: Int, element: Int)>] map")
        #expect(chain(Written(upstream: numbers).map { $0 }) == "[written<SequenceSignal>] map")
    }
}

/// An operator that says nothing of its chain.
private struct Written<Upstream: Signal>: Signal {
    typealias Value = Upstream.Value
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(observer)
    }
}
