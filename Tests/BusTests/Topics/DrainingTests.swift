import Bus
import BusTesting
import TestSupport
import Testing

extension Topic where Value == Int {
    fileprivate static let numbers = Topic("test.numbers")
}

@Suite("A bus that is closed and drained")
struct DrainingTests {
    let bus = NotificationBus()

    private func backlog(_ pattern: TopicPattern, _ waiting: Int) -> SubscriberBacklog {
        SubscriberBacklog(pattern: pattern, waiting: waiting)
    }

    @Test func withoutSubscribersItIsDrainedWhenItIsClosed() {
        let early = Recorder(bus.whenDrained().map { true })
        #expect(early.events.isEmpty)
        bus.close()
        #expect(early.events == [.next(true), .completed])
        let late = Recorder(bus.whenDrained().map { true })
        #expect(late.events == [.next(true), .completed])
    }

    @Test func subscribersThatPauseAreWaitedFor() {
        let drained = Recorder(bus.whenDrained().map { true })
        let slow = PausingRecorder(bus.signal(for: .numbers), after: 1)
        let envelopes = PausingRecorder(bus.envelopes(for: .numbers), after: 2)
        let pattern = PausingRecorder(bus.envelopes(matching: "test.*"), after: 0)
        let fast = Recorder(bus.signal(for: .numbers))
        for value in 1...4 { bus.post(value, to: .numbers) }
        #expect(
            bus.backlog == [
                backlog("test.numbers", 3), backlog("test.numbers", 2), backlog("test.*", 4),
                backlog("test.numbers", 0),
            ]
        )
        bus.close()
        #expect(fast.hasEnded)
        #expect(bus.backlog == [backlog("test.numbers", 3), backlog("test.numbers", 2), backlog("test.*", 4)])
        slow.release(2)
        #expect(bus.backlog.first == backlog("test.numbers", 1))
        slow.release()
        envelopes.release()
        #expect(bus.backlog == [backlog("test.*", 4)])
        #expect(drained.values.isEmpty)
        pattern.release()
        #expect(drained.values == [true] && drained.hasEnded)
        #expect(bus.backlog.isEmpty)
        #expect(pattern.values.count == 4 && slow.values == [1, 2, 3, 4])
    }

    @Test func aSubscriptionThatIsDisposedOfIsDone() {
        let topic = PausingRecorder(bus.signal(for: .numbers), after: 0)
        let pattern = PausingRecorder(bus.envelopes(matching: ">"), after: 0)
        bus.post(1, to: .numbers)
        bus.close()
        let drained = Recorder(bus.whenDrained().map { true })
        topic.dispose()
        #expect(bus.backlog == [backlog(">", 1)])
        pattern.dispose()
        #expect(drained.values == [true])
    }

    @Test func aSubscriptionThatEndsWhileTheBusIsOpenLeavesNothing() {
        let few = Recorder(bus.signal(for: .numbers).take(first: 1))
        let other = Recorder(bus.envelopes(matching: ">"))
        bus.post(1, to: .numbers)
        other.dispose()
        #expect(few.hasEnded)
        // A disposed subscriber of a pattern is released by its topics with the next value.
        bus.post(2, to: .numbers)
        #expect(bus.backlog.isEmpty)
    }

    @Test func behindAHopItIsDoneWhenItHasHeardTheEndThere() {
        let time = TestScheduler()
        let drained = Recorder(bus.whenDrained().map { true })
        let recorder = Recorder(bus.signal(for: .numbers).deliver(on: time).map { $0 * 10 }.deliver(on: time))
        for value in 1...3 { bus.post(value, to: .numbers) }
        bus.close()
        #expect(bus.backlog == [backlog("test.numbers", 3)])
        #expect(drained.values.isEmpty)
        time.advance()
        #expect(recorder.values == [10, 20, 30] && recorder.hasEnded)
        #expect(drained.values == [true])
    }

    @Test func whatIsDisposedOfBehindAHopIsDone() {
        let time = TestScheduler()
        let drained = Recorder(bus.whenDrained().map { true })
        let before = Recorder(bus.signal(for: .numbers).deliver(on: time))
        let after = Recorder(bus.signal(for: .numbers).deliver(on: time))
        bus.post(1, to: .numbers)
        before.dispose()
        bus.close()
        #expect(drained.values.isEmpty)
        after.dispose()
        time.advance()
        #expect(drained.values == [true])
        #expect(before.values.isEmpty && after.values.isEmpty)
    }

    @Test func aHopThatPausesIsWaitedFor() {
        let time = TestScheduler()
        let drained = Recorder(bus.whenDrained().map { true })
        let slow = PausingRecorder(bus.signal(for: .numbers).deliver(on: time, limit: 2), after: 0)
        for value in 1...5 { bus.post(value, to: .numbers) }
        bus.close()
        time.advance()
        // The hop has taken four. The fifth is queued in the bus, followed by the end.
        #expect(bus.backlog == [backlog("test.numbers", 1)] && drained.values.isEmpty)
        for _ in 1...10 {
            slow.release(1)
            time.advance()
        }
        #expect(slow.values == [1, 2, 3, 4, 5] && slow.lost == 0)
        #expect(drained.values == [true])
    }

    @Test func aLoopOverValuesIsDoneWithItsEnd() async throws {
        var values = bus.signal(for: .numbers).values().makeAsyncIterator()
        let drained = Recorder(bus.whenDrained().map { true })
        for value in 1...2 { bus.post(value, to: .numbers) }
        bus.close()
        #expect(bus.backlog == [backlog("test.numbers", 2)])
        #expect(try await values.next() == 1)
        #expect(try await values.next() == 2)
        #expect(drained.values.isEmpty)
        #expect(try await values.next() == nil)
        #expect(drained.values == [true])
    }

    @Test func childrenAreWaitedForByTheBusAroundThem() {
        let child = bus.child(named: "connection")
        let slow = PausingRecorder(child.signal(for: .numbers), after: 0)
        child.post(1, to: .numbers)
        let (inner, outer) = (Recorder(child.whenDrained().map { true }), Recorder(bus.whenDrained().map { true }))
        #expect(bus.backlog == [backlog("test.numbers", 1)] && child.backlog == bus.backlog)
        bus.close()
        #expect(inner.values.isEmpty && outer.values.isEmpty)
        slow.release()
        #expect(inner.values == [true] && outer.values == [true])
    }

    @Test func aBusThatIsOpenIsNotDrained() {
        let recorder = Recorder(bus.signal(for: .numbers))
        let drained = Recorder(bus.whenDrained().map { true })
        recorder.dispose()
        #expect(bus.backlog.isEmpty && drained.values.isEmpty)
        drained.dispose()
        bus.close()
        #expect(drained.values.isEmpty)
    }

    @Test func theSubscriberHasHeardTheEndBefore() {
        let order = Heard<String>()
        let drained = Recorder(bus.whenDrained().on(next: { order.append("drained") }))
        let subscription = bus.signal(for: .numbers).subscribe(completed: { order.append("completed") })
        let other = bus.envelopes(matching: ">").subscribe(completed: { order.append("completed") })
        bus.close()
        #expect(order.values == ["completed", "completed", "drained"])
        #expect(drained.hasEnded)
        subscription.dispose()
        other.dispose()
    }
}
