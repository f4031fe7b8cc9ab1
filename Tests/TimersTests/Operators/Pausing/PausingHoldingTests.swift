import Bus
import BusTesting
import Testing
import Timers

@Suite("debounce, throttle, sample and collect without room")
struct PausingHoldingTests {
    let time = TestScheduler()
    let source = ProbeSource(of: Int.self, failure: TestFailure.self)

    @Test("a debounce keeps the latest burst's value until there is room, and never pauses its source")
    func debounce() {
        let recorder = PausingRecorder(source.debounce(.seconds(1), on: time), after: 1)
        source.send(1)
        time.advance(by: .seconds(1))
        for value in 2...4 {
            source.send(value)
            time.advance(by: .seconds(2))
        }
        #expect(recorder.values == [1])
        #expect(time.pendingCount == 0)
        recorder.release(1)
        #expect(recorder.values == [1, 4])
        #expect(source.pauses == 0)
        // An unfinished burst is waited for, even with room.
        source.send(5)
        time.advance(by: .seconds(1))
        source.send(6)
        recorder.release()
        #expect(recorder.values == [1, 4])
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1, 4, 6])
        #expect(recorder.overrun == 0)
    }

    @Test("a leading debounce keeps the first value of the latest burst")
    func leading() {
        let recorder = PausingRecorder(source.debounce(.seconds(1), edge: .leading, on: time), after: 1)
        for value in [1, 2] { source.send(value) }
        time.advance(by: .seconds(2))
        for value in [3, 4] { source.send(value) }
        time.advance(by: .seconds(2))
        for value in [5, 6] { source.send(value) }
        #expect(recorder.values == [1])
        recorder.release()
        #expect(recorder.values == [1, 5])
        #expect(source.pauses == 0)
    }

    @Test(
        "a throttle continues to choose, and measures its distance from when there was room",
        arguments: [ThrottleChoice.latest, .first]
    )
    func throttle(choice: ThrottleChoice) {
        let recorder = PausingRecorder(source.throttle(.seconds(1), choosing: choice, on: time), after: 1, on: time)
        for value in 1...3 { source.send(value) }
        time.advance(by: .seconds(5))
        for value in 4...5 { source.send(value) }
        #expect(recorder.values == [1])
        #expect(time.pendingCount == 0)
        recorder.release()
        #expect(recorder.values == [1, choice == .latest ? 5 : 2])
        source.send(6)
        #expect(recorder.valueCount == 2)
        time.advance(by: .seconds(1))
        #expect(recorder.timeline.map(\.time.nanoseconds) == [0, 5_000_000_000, 6_000_000_000])
        #expect(source.pauses == 0)
        #expect(recorder.overrun == 0)
    }

    @Test("a throttle of one edge keeps a value, too", arguments: [ThrottleEdges.leading, .trailing])
    func oneEdge(edges: ThrottleEdges) {
        let recorder = PausingRecorder(source.throttle(.seconds(1), edges: edges, on: time), after: 1)
        source.send(1)
        time.advance(by: .seconds(3))
        for value in 2...3 { source.send(value) }
        time.advance(by: .seconds(3))
        recorder.release()
        #expect(recorder.values == [1, 3])
    }

    @Test("a sample sends the latest value as soon as there is room")
    func sample() {
        let recorder = PausingRecorder(source.sample(every: .seconds(1), on: time), after: 1, on: time)
        source.send(1)
        time.advance(by: .seconds(1))
        for value in 2...4 {
            source.send(value)
            time.advance(by: .seconds(1))
        }
        #expect(time.pendingCount == 0)
        time.advance(by: .seconds(0.5))
        recorder.release()
        #expect(recorder.values == [1, 4])
        source.send(5)
        time.run()
        #expect(recorder.timeline.map(\.time.nanoseconds) == [1_000_000_000, 4_500_000_000, 5_000_000_000])
        #expect(source.pauses == 0)
    }

    @Test("a batch grows until it is full; then the source is paused and called back once, and nothing is lost")
    func collect() {
        let recorder = PausingRecorder(source.collect(every: .seconds(1), limit: 3, on: time), after: 1)
        for value in 1...3 { source.send(value) }
        #expect(recorder.values == [[1, 2, 3]])
        source.send(4)
        time.advance(by: .seconds(5))
        source.send(5)
        #expect(source.pauses == 0)
        source.send(6)
        #expect(source.lastAnswer == .pause)
        let calls = Collected<Int>()
        #expect(source.whenReady { calls.add(recorder.valueCount) } == .pause)
        time.advance(by: .seconds(5))
        #expect(recorder.valueCount == 1)
        #expect(time.pendingCount == 0)
        recorder.release(1)
        #expect(recorder.values == [[1, 2, 3], [4, 5, 6]])
        #expect(calls.all.count == 1)
        source.send(7)
        recorder.release()
        time.advance(by: .seconds(1))
        #expect(recorder.values == [[1, 2, 3], [4, 5, 6], [7]])
        #expect(calls.all.count == 1)
        #expect(recorder.overrun == 0)
    }

    @Test("a source that pauses loses nothing in batches", arguments: [1, 2, 7])
    func collectsAll(limit: Int) {
        let recorder = PausingRecorder(
            Signals.from(1...50).collect(every: .seconds(1), limit: limit, on: time),
            after: 1
        )
        while !recorder.hasEnded {
            recorder.release(1)
            time.advance(by: .seconds(2))
        }
        #expect(recorder.values.flatMap { $0 }.elementsEqual(1...50))
        #expect(recorder.values.allSatisfy { $0.count <= limit })
        #expect(recorder.overrun == 0)
        #expect(recorder.lost == 0)
    }

    @Test("values of a source that does not pause are queued behind a full batch, and beyond the bound counted")
    func collectOverflows() {
        let recorder = PausingRecorder(source.collect(every: .seconds(1), limit: 2, on: time), after: 1)
        // Two were passed on, two fill the batch, and 1,024 are queued.
        for value in 1...(2 + 2 + 1024 + 5) { source.send(value) }
        recorder.release()
        time.advance(by: .seconds(1))
        #expect(recorder.values.flatMap { $0 }.elementsEqual(1...1028))
        #expect(recorder.values.allSatisfy { $0.count == 2 })
        #expect(recorder.lost == 5)
        #expect(recorder.overrun == 0)
    }

    @Test(
        "at completion a value that waits for room is still sent, unless it is dropped",
        arguments: [AtCompletion.flush, .wait, .drop]
    )
    func completes(atCompletion: AtCompletion) {
        let recorder = PausingRecorder(
            source.debounce(.seconds(1), atCompletion: atCompletion, on: time),
            after: 1
        )
        source.send(1)
        time.advance(by: .seconds(1))
        source.send(2)
        source.complete()
        #expect(source.liveSubscriptions == 0)
        #expect(recorder.hasEnded == (atCompletion == .drop))
        time.advance(by: .seconds(1))
        #expect(recorder.values == [1])
        recorder.release()
        #expect(recorder.values == (atCompletion == .drop ? [1] : [1, 2]))
        #expect(recorder.hasEnded)
        #expect(time.pendingCount == 0)
    }

    @Test("a value whose time has passed is not dropped at completion for lack of room")
    func completesOverdue() {
        let recorder = PausingRecorder(source.debounce(.seconds(1), atCompletion: .drop, on: time), after: 1)
        for value in 1...2 {
            source.send(value)
            time.advance(by: .seconds(1))
        }
        source.complete()
        recorder.release()
        #expect(recorder.events == [.next(1), .next(2), .completed])
    }

    @Test("a failure does not wait for room")
    func fails() {
        let recorder = PausingRecorder(source.collect(every: .seconds(1), on: time), after: 1)
        for value in 1...2 {
            source.send(value)
            time.advance(by: .seconds(1))
        }
        source.fail("end")
        #expect(recorder.events == [.next([1]), .failed("end")])
    }

    @Test("a value that waits for room arrives after its source was dropped, and then the chain is freed")
    func outlivesItsSource() {
        let (recorder, isAlive) = holding { held in
            let subject = Subject(of: Int.self)
            let recorder = PausingRecorder(held.by(subject.throttle(.seconds(1), on: time)), after: 1)
            subject.send(1)
            subject.send(2)
            time.advance(by: .seconds(1))
            return recorder
        }
        #expect(isAlive())
        recorder.release()
        #expect(recorder.values == [1, 2])
        #expect(!isAlive())
    }

    @Test("an observer that has enough once there is room ends the source's subscription")
    func stops() {
        let recorder = PausingRecorder(source.debounce(.seconds(1), on: time).take(first: 2), after: 1)
        for value in 1...2 {
            source.send(value)
            time.advance(by: .seconds(1))
        }
        #expect(source.liveSubscriptions == 1)
        recorder.release(1)
        #expect(recorder.events == [.next(1), .next(2), .completed])
        #expect(source.liveSubscriptions == 0)
    }

    @Test("when disposed of while it waits for room, everything is freed", arguments: [false, true])
    func freed(isFull: Bool) {
        let (recorder, isAlive) = holding { held in
            PausingRecorder(held.by(held.by(source).collect(every: .seconds(1), limit: 2, on: time)), after: 1)
        }
        for value in 1...(isFull ? 6 : 3) { source.send(value) }
        time.advance(by: .seconds(1))
        #expect(recorder.isAwaited)
        #expect(isAlive())
        recorder.dispose()
        #expect(!isAlive())
        #expect(source.liveSubscriptions == 0)
        #expect(time.pendingCount == 0)
    }
}
