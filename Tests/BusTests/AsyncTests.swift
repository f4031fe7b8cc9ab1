import Bus
import BusTesting
import TestSupport
import Testing

@Suite("Signals and AsyncSequence")
struct AsyncTests {
    @Test func aSynchronousSourceIsSlowedAndLosesNothing() async throws {
        var collected: [Int] = []
        for try await value in Signals.from(0..<10_000).values(limit: 16) { collected.append(value) }
        let arrivedAll = areAscending(collected, 10_000)
        #expect(arrivedAll)
    }

    @Test func valuesSentBeforeTheLoopStartsAreKept() async throws {
        let subject = Subject(of: Int.self)
        var iterator = subject.values().makeAsyncIterator()
        for value in 1...3 { subject.send(value) }
        subject.complete()
        var collected: [Int] = []
        while let value = try await iterator.next() { collected.append(value) }
        #expect(collected == [1, 2, 3])
        #expect(try await iterator.next() == nil)
    }

    @Test func aFailureIsThrownWithItsType() async {
        let signal = Signals.from([1, 2]).eraseToAnySignal()
        let failing = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            let handle = signal.subscribe(next: { emitter.send($0) }, completed: { emitter.fail("after two") })
            return handle
        }
        var collected: [Int] = []
        do throws(ReceiveError<TestFailure>) {
            for try await value in failing.values() { collected.append(value) }
            Issue.record("no failure was thrown")
        } catch {
            #expect(error == .failed("after two"))
        }
        #expect(collected == [1, 2])
    }

    @Test func leavingTheLoopEndsTheSubscription() async throws {
        let source = ProbeSource<Int, Never>()
        do {
            var iterator = source.values().makeAsyncIterator()
            source.send(1)
            #expect(try await iterator.next() == 1)
            #expect(source.liveSubscriptions == 1)
        }
        #expect(source.liveSubscriptions == 0)
    }

    @Test func cancellingTheTaskEndsTheLoopAndTheSubscription() async {
        let source = ProbeSource<Int, Never>()
        let (heard, signalHeard) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var values: [Int] = []
            do throws(ReceiveError<Never>) {
                for try await value in source.values() {
                    values.append(value)
                    signalHeard.finish()
                }
                Issue.record("the loop ended as if the signal had completed")
            } catch {
                #expect(error == .cancelled)
            }
            return values
        }
        while source.subscriptions == 0 { await Task.yield() }
        source.send(1)
        for await _ in heard {}
        task.cancel()
        #expect(await task.value == [1])
        #expect(source.liveSubscriptions == 0)
    }

    @Test func aLossIsThrownInItsPlaceAndTheIteratorGoesOn() async throws {
        let subject = Subject(of: Int.self)
        var iterator = subject.values(limit: 2, overflow: .dropOldest).makeAsyncIterator()
        for value in 1...5 { subject.send(value) }
        await #expect(throws: ReceiveError<Never>.lost(3)) { try await iterator.next() }
        #expect(try await iterator.next() == 4)
        subject.sendLoss(of: 7)
        subject.send(6)
        subject.complete()
        #expect(try await iterator.next() == 5)
        await #expect(throws: ReceiveError<Never>.lost(7)) { try await iterator.next() }
        #expect(try await iterator.next() == 6)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func aLossAtTheVeryEndIsThrownBeforeTheEnd() async throws {
        let subject = Subject(of: Int.self)
        var iterator = subject.values(limit: 2, overflow: .dropNewest).makeAsyncIterator()
        for value in 1...5 { subject.send(value) }
        subject.complete()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        await #expect(throws: ReceiveError<Never>.lost(3)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func theFailureOfAFullQueueIsToldHowManyValuesItLost() async throws {
        let source = RawSource<Int, TestFailure>()
        let lost = Log<Int>()
        let values = source.values(
            limit: 2,
            overflow: .fail { count in
                lost.append(count)
                return "full"
            }
        )
        var iterator = values.makeAsyncIterator()
        for value in 1...6 { source.send(value) }
        source.complete()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        await #expect(throws: ReceiveError<TestFailure>.failed("full")) { try await iterator.next() }
        #expect(lost.entries == [4])
    }

    @Test func aLoopWithALostClosureGoesOnBehindTheGap() async throws {
        let subject = Subject(of: Int.self)
        let heard = Log<String>()
        let values = subject.values(limit: 2, overflow: .dropOldest) { heard.append("\($0) lost") }
        var iterator = values.makeAsyncIterator()
        for value in 1...5 { subject.send(value) }
        subject.complete()
        while let value = try await iterator.next() { heard.append("\(value)") }
        #expect(heard.entries == ["3 lost", "4", "5"])
    }

    @Test func aLossWakesALoopThatWaits() async {
        let source = ProbeSource<Int, Never>()
        let waiting = Task { try await source.values().first { _ in true } }
        while source.subscriptions == 0 { await Task.yield() }
        source.sendLoss(of: 2)
        await #expect(throws: ReceiveError<Never>.lost(2)) { try await waiting.value }
        #expect(source.liveSubscriptions == 0)
    }

    @Test func anAsyncSequenceBecomesASignal() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for value in 1...3 { continuation.yield(value) }
        continuation.finish()
        var collected: [Int] = []
        for try await value in Signals.from(stream).map({ $0 * 2 }).values() { collected.append(value) }
        #expect(collected == [2, 4, 6])
    }

    @Test func endingTheSignalCancelsTheTaskBehindIt() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let (cancelled, signalCancelled) = AsyncStream.makeStream(of: Void.self)
        continuation.onTermination = { _ in signalCancelled.finish() }
        let (heard, signalHeard) = AsyncStream.makeStream(of: Void.self)
        let handle = Signals.from(stream).subscribe(next: { _ in signalHeard.finish() })
        continuation.yield(1)
        for await _ in heard {}
        handle.dispose()
        for await _ in cancelled {}
    }

    /// If another thread sends while the task subscribes, the source does not count as one that sends on the task's
    /// thread.
    @Test func whatAnotherThreadSendsWhileTheTaskSubscribesIsHeardThere() async throws {
        let emitter = Lock<Emitter<Int, Never>?>(nil)
        let (sending, hearing) = (Heard<UInt>(), Heard<UInt>())
        let send = { @Sendable (value: Int) in
            try TestThread {
                sending.append(pthreadSelf())
                emitter.withLock { $0 }?.send(value)
            }.wait()
        }
        let signal = SendingWhileSubscribed(emitter: emitter, send: { try? send(0) })
        var values = signal.on(next: { _ in hearing.append(pthreadSelf()) }).values().makeAsyncIterator()
        try send(1)
        for value in 0...1 { #expect(try await values.next() == value) }
        #expect(sending.values.count == 2 && hearing.values == sending.values)
    }
}

private struct SendingWhileSubscribed: Signal {
    typealias Value = Int
    typealias Failure = Never
    let emitter: Lock<Emitter<Int, Never>?>
    let send: @Sendable () -> Void

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Int, Downstream.Failure == Never {
        let handle = Signals.create(of: Int.self) { created in
            emitter.withLock { $0 = created }
            return nil
        }.subscribe(observer)
        send()
        return handle
    }

    var chain: Chain { Chain(source: "sending while subscribed") }
}
