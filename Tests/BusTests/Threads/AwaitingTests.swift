import Bus
import BusTesting
import Testing

@Suite("Awaiting the values of a signal")
struct AwaitingTests {
    @Test("firstValue returns the first value and has released the source")
    func first() async throws {
        let source = ProbeSource<Int, TestFailure>()
        async let value = source.firstValue()
        while source.subscriptions == 0 { await Task.yield() }
        source.send(1)
        source.send(2)
        #expect(try await value == 1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a source that sends while being subscribed to")
    func synchronous() async throws {
        #expect(try await Signals.from(5...).firstValue() == 5)
        #expect(try await Signals.from(1...3).lastValue() == 3)
        #expect(try await Signals.from(1...3).collectedWithoutLimit() == [1, 2, 3])
        #expect(try await Signals.from(1...).collected(limit: 4) == [1, 2, 3, 4])
        #expect(try await Signals.from(1...).collected(limit: 0) == [])
    }

    @Test("a signal without a value has none to return")
    func none() async throws {
        #expect(try await Signals.empty(Int.self).firstValue() == nil)
        #expect(try await Signals.empty(Int.self).lastValue() == nil)
        #expect(try await Signals.empty(Int.self).collectedWithoutLimit() == [])
    }

    @Test("a failure is thrown with its type, even after values")
    func failure() async {
        let failing = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            emitter.send(1)
            emitter.fail("broken")
            return nil
        }
        await #expect(throws: ReceiveError<TestFailure>.failed("broken")) { try await failing.collectedWithoutLimit() }
        await #expect(throws: ReceiveError<TestFailure>.failed("broken")) { try await failing.lastValue() }
    }

    @Test("a loss is thrown where it occurs, and releases the source")
    func loss() async {
        func losing(before values: Int...) -> ProbeSource<Int, TestFailure> {
            let source = ProbeSource<Int, TestFailure>()
            Task {
                while source.subscriptions == 0 { await Task.yield() }
                for value in values { source.send(value) }
                source.sendLoss(of: 3)
                source.send(9)
                source.complete()
            }
            return source
        }
        let sources = [losing(), losing(before: 1), losing(before: 1)]
        await #expect(throws: ReceiveError<TestFailure>.lost(3)) { try await sources[0].firstValue() }
        await #expect(throws: ReceiveError<TestFailure>.lost(3)) { try await sources[1].lastValue() }
        await #expect(throws: ReceiveError<TestFailure>.lost(3)) { try await sources[2].collected(limit: 5) }
        for source in sources { #expect(source.liveSubscriptions == 0) }
    }

    @Test("a caller that accepts losses says so in the chain")
    func ignoredLoss() async throws {
        func source() -> some Signal<Int, Never> {
            Signals.create { emitter in
                emitter.send(1)
                emitter.sendLoss(of: 2)
                emitter.send(4)
                emitter.complete()
                return nil
            }
        }
        #expect(try await source().ignoreLosses().collectedWithoutLimit() == [1, 4])
        #expect(try await source().ignoreLosses().lastValue() == 4)
        await #expect(throws: ReceiveError<Never>.lost(2)) { try await source().lastValue() }
        let recorder = Recorder(source().ignoreLosses())
        let (lost, events) = (recorder.lost, recorder.events)
        #expect(lost == 0)
        #expect(events == [.next(1), .next(4), .completed])
    }

    @Test("every reason says in plain words what happened")
    func reasons() {
        #expect("\(ReceiveError<TestFailure>.failed("broken"))" == "the signal failed: broken")
        #expect("\(ReceiveError<Never>.lost(1))".hasPrefix("1 value was dropped"))
        #expect("\(ReceiveError<Never>.lost(2))".hasPrefix("2 values were dropped"))
        #expect("\(ReceiveError<Never>.cancelled)".contains("cancelled"))
        #expect("\(ReceiveError<Never>.abandoned)".contains("dropped without an end"))
    }

    @Test("cancelling the task ends the wait and the subscription")
    func cancelled() async throws {
        let source = ProbeSource<Int, TestFailure>()
        let task = Task { try await source.collectedWithoutLimit() }
        while source.subscriptions == 0 { await Task.yield() }
        source.send(1)
        task.cancel()
        await #expect(throws: ReceiveError<TestFailure>.cancelled) { try await task.value }
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a task that is already cancelled does not wait")
    func cancelledBefore() async throws {
        let source = ProbeSource<Int, TestFailure>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await source.firstValue()
        }
        await #expect(throws: ReceiveError<TestFailure>.cancelled) { try await task.value }
        #expect(source.liveSubscriptions == 0)
    }

    @Test("cancelling a task that iterates over an endless sequence while subscribing ends it")
    func cancelledSynchronous() async {
        let reached = Latch()
        let task = Task {
            try await Signals.from(0...).map { value in if value == 1_000 { reached.open() } }.lastValue()
        }
        await offThePool { reached.wait() }
        task.cancel()
        await #expect(throws: ReceiveError<Never>.cancelled) { try await task.value }
    }

    @Test("a value and a cancellation at the same time: the task is resumed once", arguments: 0..<100)
    func race(round: Int) async throws {
        let source = ProbeSource<Int, TestFailure>()
        let task = Task { try await source.firstValue() }
        while source.subscriptions == 0 { await Task.yield() }
        await offThePool {
            let threads = Threads()
            threads.start { round % 3 == 0 ? source.complete() : source.send(1) }
            threads.start { task.cancel() }
            threads.wait()
        }
        do {
            #expect(try await task.value == (round % 3 == 0 ? nil : 1))
        } catch {
            #expect(error as? ReceiveError<TestFailure> == .cancelled)
        }
        #expect(source.liveSubscriptions == 0)
    }

    @Test("on an actor the task continues there")
    func isolation() async throws {
        actor Stage {
            func first(_ signal: some Signal<Int, Never>) async throws -> Int? {
                let value = try await signal.firstValue()
                self.preconditionIsolated()
                return value
            }
        }
        #expect(try await Stage().first(Signals.just(3)) == 3)
    }

    @Test("disposing cancels the task behind an async sequence, at any moment", arguments: 0..<50)
    func disposingCancels(round: Int) async {
        let (cancelled, signalCancelled) = AsyncStream.makeStream(of: Void.self)
        let heard = Log<Int>()
        // Only the task holds the stream, so the stream ends with it, even if it was never iterated over.
        let (handle, continuation) = subscription(heard)
        continuation.onTermination = { _ in signalCancelled.finish() }
        for value in 0..<round { continuation.yield(value) }
        handle.dispose()
        for await _ in cancelled {}
        #expect(heard.entries == Array(0..<heard.entries.count))
    }

    private func subscription(_ heard: Log<Int>) -> (any Disposable, AsyncStream<Int>.Continuation) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        return (Signals.from(stream).subscribe(next: { heard.append($0) }), continuation)
    }

    @Test("a wait for values that is cancelled at any moment ends", arguments: 0..<50)
    func valuesCancelled(round: Int) async {
        let source = ProbeSource<Int, Never>()
        let task = Task {
            let values = Lock<[Int]>([])
            await #expect(throws: ReceiveError<Never>.cancelled) {
                for try await value in source.values(limit: 4, overflow: .dropNewest, lost: { _ in }) {
                    values.withLock { $0.append(value) }
                }
            }
            return values.withLock { $0 }
        }
        while source.subscriptions == 0 { await Task.yield() }
        await offThePool {
            let threads = Threads()
            let reached = Latch()
            threads.start {
                for value in 0..<200 {
                    source.send(value)
                    if value == round * 4 { reached.open() }
                }
            }
            threads.start {
                reached.wait()
                task.cancel()
            }
            threads.wait()
        }
        let values = await task.value
        #expect(values == values.sorted())
        #expect(source.liveSubscriptions == 0)
    }
}
