import Bus
import BusTesting
import Testing

@Suite("Awaiting what a signal says")
struct AwaitingTests {
    @Test("firstValue answers the first value and has released the source")
    func first() async throws {
        let source = ProbeSource<Int, TestFailure>()
        async let value = source.firstValue()
        while source.subscriptions == 0 { await Task.yield() }
        source.send(1)
        source.send(2)
        #expect(try await value == 1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a source that speaks while being subscribed to")
    func synchronous() async {
        #expect(await Signals.from(5...).firstValue() == 5)
        #expect(await Signals.from(1...3).lastValue() == 3)
        #expect(await Signals.from(1...3).collectedWithoutLimit() == [1, 2, 3])
        #expect(await Signals.from(1...).collected(limit: 4) == [1, 2, 3, 4])
        #expect(await Signals.from(1...).collected(limit: 0) == [])
    }

    @Test("a signal without a value has none to answer")
    func none() async {
        #expect(await Signals.empty(Int.self).firstValue() == nil)
        #expect(await Signals.empty(Int.self).lastValue() == nil)
        #expect(await Signals.empty(Int.self).collectedWithoutLimit() == [])
    }

    @Test("a failure is thrown, with its type, after values as well")
    func failure() async {
        let failing = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            emitter.next(1)
            emitter.failed("broken")
            return nil
        }
        do throws(TestFailure) {
            _ = try await failing.collectedWithoutLimit()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == "broken")
        }
        do throws(TestFailure) {
            _ = try await failing.lastValue()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == "broken")
        }
    }

    @Test("cancelling the task ends the wait and the subscription")
    func cancelled() async throws {
        let source = ProbeSource<Int, TestFailure>()
        let task = Task { try await source.collectedWithoutLimit() }
        while source.subscriptions == 0 { await Task.yield() }
        source.send(1)
        task.cancel()
        #expect(try await task.value == nil)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a task that is cancelled already does not wait")
    func cancelledBefore() async throws {
        let source = ProbeSource<Int, TestFailure>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await source.firstValue()
        }
        #expect(try await task.value == nil)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("cancelling a task that walks an endless sequence while subscribing ends it")
    func cancelledSynchronous() async {
        let reached = Latch()
        let task = Task {
            await Signals.from(0...).map { value in if value == 1_000 { reached.open() } }.lastValue()
        }
        await offThePool { reached.wait() }
        task.cancel()
        #expect(await task.value == nil)
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
        let value = try await task.value
        #expect(value == nil || value == 1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("on an actor the task goes on there")
    func isolation() async {
        actor Stage {
            func first(_ signal: some Signal<Int, Never>) async -> Int? {
                let value = await signal.firstValue()
                self.preconditionIsolated()
                return value
            }
        }
        #expect(await Stage().first(Signals.just(3)) == 3)
    }

    @Test("disposing cancels the task behind an async sequence, at any moment", arguments: 0..<50)
    func disposingCancels(round: Int) async {
        let (cancelled, signalCancelled) = AsyncStream.makeStream(of: Void.self)
        let heard = Log<Int>()
        // The task alone holds the stream, which therefore ends with it, whether or not it came to be walked.
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

    @Test("a waiting for values that is cancelled at any moment ends", arguments: 0..<50)
    func valuesCancelled(round: Int) async {
        let source = ProbeSource<Int, Never>()
        let task = Task {
            var values: [Int] = []
            for await value in source.values(limit: 4, overflow: .dropNewest) { values.append(value) }
            return values
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
