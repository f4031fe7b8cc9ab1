import Bus
import BusTesting
import Testing

@Suite("Tasks and continuations")
struct TaskTests {
    @Test("a task's result or error is heard, even by late subscribers")
    func outcome() async throws {
        let task = Task { 42 }
        #expect(try await task.outcome().firstValue() == 42)
        #expect(try await task.outcome().collectedWithoutLimit() == [42])
        let failing = Task<Int, any Error> { throw TestFailure("no") }
        let error = await #expect(throws: ReceiveError<any Error>.self) { try await failing.outcome().firstValue() }
        guard case .failed(let failure) = error else { return }
        #expect(failure as? TestFailure == "no")
        #expect("\(task.outcome().chain)" == "[task]")
    }

    @Test("a subscription that ends lets the task continue, unless it should be cancelled")
    func cancelling() async {
        for cancels in [false, true] {
            let (gate, opening) = AsyncStream.makeStream(of: Void.self)
            let task = Task { () -> Bool in
                for await _ in gate {}
                return Task.isCancelled
            }
            let recorder = Recorder(task.outcome(cancelling: cancels))
            recorder.dispose()
            recorder.dispose()
            // Another task, which is not cancelled before: until then no event is on its way that could hold the observer.
            let (otherGate, otherOpening) = AsyncStream.makeStream(of: Void.self)
            let other = Task { for await _ in otherGate {} }
            let isKept = isKept { canary in
                other.outcome(cancelling: cancels).subscribe(next: { canary.sing() }).dispose()
            }
            #expect(!isKept)
            otherOpening.finish()
            opening.finish()
            #expect(await task.value == cancels)
            #expect(recorder.events.isEmpty)
        }
    }

    @Test("a finished task is not cancelled by its subscriber")
    func overIsOver() async {
        let task = Task { 1 }
        let recorder = Recorder(task.outcome(cancelling: true))
        await offThePool { recorder.waitForEnd() }
        recorder.dispose()
        #expect(recorder.events == [.next(1), .completed])
        #expect(!task.isCancelled)
    }

    @Test("a continuation is resumed once: by a value, an end, a failure, a disposal, a dropped source")
    func continuations() async throws {
        func wait(_ act: @escaping (Subject<Int, TestFailure>) -> Void) async throws -> Int? {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int?, any Error>) in
                let source = Subject(of: Int.self, failure: TestFailure.self)
                source.resume(continuation)
                act(source)
            }
        }
        let first = try await wait {
            $0.send(1)
            $0.send(2)
        }
        #expect(first == 1)
        let none = try await wait { $0.complete() }
        #expect(none == nil)
        await #expect(throws: ReceiveError<TestFailure>.failed("no")) { _ = try await wait { $0.fail("no") } }
        await #expect(throws: ReceiveError<TestFailure>.lost(2)) {
            _ = try await wait {
                $0.sendLoss(of: 2)
                $0.send(3)
            }
        }
        await #expect(throws: ReceiveError<TestFailure>.abandoned) { _ = try await wait { _ in } }
        _ = await #expect(throws: ReceiveError<Never>.abandoned) {
            _ = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int?, any Error>) in
                Signals.never(Int.self).merge(Signals.never(Int.self)).resume(continuation).dispose()
            }
        }
    }

    @Test("a stream gets the values and the end, and reports what it dropped")
    func yielding() async {
        let source = ProbeSource<Int, Never>()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(2))
        let lost = Lock(0)
        _ = source.yield(to: continuation, lost: { count in lost.withLock { $0 += count } })
        for number in 1...3 { source.send(number) }
        source.sendLoss(of: 4)
        source.complete()
        var values: [Int] = []
        for await value in stream { values.append(value) }
        #expect(values == [1, 2] && lost.withLock { $0 } == 5)
    }

    @Test("a stream without a reader ends the subscription with the next value")
    func yieldingIntoNothing() {
        let source = ProbeSource<Int, Never>()
        do {
            let (_, continuation) = AsyncStream.makeStream(of: Int.self)
            _ = source.yield(to: continuation, lost: { _ in })
        }
        source.send(1)
        #expect(source.liveSubscriptions == 0)
    }

    @Test("a wait for a source that is dropped without an end does not last for ever")
    func droppedSource() async {
        /// Keeps the handler until it is told to forget it.
        final class Interface: Sendable {
            let handler = Lock<(@Sendable (Int) -> Void)?>(nil)

            var signal: some Signal<Int, Never> {
                Signals.fromCallback(register: { [self] handler in self.handler.withLock { $0 = handler } }) { _ in }
            }

            func forget() async {
                while handler.withLock({ $0 == nil }) { await Task.yield() }
                let forgotten = handler.withLock { held -> (@Sendable (Int) -> Void)? in held.take() }
                withExtendedLifetime(forgotten) {}
            }
        }
        let interface = Interface()
        let waits: [@Sendable () async throws -> Void] = [
            { _ = try await interface.signal.firstValue() },
            { _ = try await interface.signal.lastValue() },
            { _ = try await interface.signal.collectedWithoutLimit() },
            { for try await _ in interface.signal.values() {} },
        ]
        for wait in waits {
            let task = Task { try await wait() }
            await interface.forget()
            await #expect(throws: ReceiveError<Never>.abandoned) { try await task.value }
        }
    }
}
