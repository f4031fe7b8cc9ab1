import Bus
import BusTesting
import Testing

@Suite("Sources that run in a task")
struct TaskSourceTests {
    @Test func anAsynchronousAttemptSendsWhatIsReturned() async {
        let signal = Signals.attempt { await Self.later(7) }
        let recorder = Recorder(signal)
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.events == [.next(7), .completed])
        #expect(signal.chain.description == "[attempt]")
    }

    @Test func anAsynchronousAttemptFailsWithWhatIsThrown() async {
        let recorder: Recorder<Int, TestFailure> = Recorder(
            Signals.attempt(async: { () async throws(TestFailure) in throw "far away" })
        )
        await offThePool { recorder.waitForEnd() }
        #expect(recorder.events == [.failed("far away")])
    }

    @Test func aClosureThatDoesNotWaitIsNotAnAsynchronousAttempt() async {
        // This also holds outside an asynchronous function.
        #expect(Recorder(Signals.attempt { 1 }).events == [.next(1), .completed])
    }

    @Test func disposalCancelsTheTaskAndNothingMoreIsHeard() async {
        /// Freed with the task that holds it.
        final class Token: Sendable {
            let gone = Latch()
            deinit { gone.open() }
        }
        let started = Latch()
        let gone: Latch
        let wasCancelled = Lock(false)
        let recorder: Recorder<Int, Never>
        do {
            let token = Token()
            gone = token.gone
            recorder = Recorder(
                Signals.attempt { [token] in
                    started.open()
                    // Sleeps until it is cancelled.
                    try? await Task.sleep(for: .seconds(600))
                    wasCancelled.withLock { $0 = Task.isCancelled }
                    return withExtendedLifetime(token) { 1 }
                }
            )
        }
        await offThePool {
            started.wait()
            recorder.dispose()
            gone.wait()
        }
        #expect(wasCancelled.withLock { $0 })
        #expect(recorder.events == [])
    }

    @Test func anAsyncSequencesIteratorIsGoneBeforeTheEndIsHeard() async {
        for input in ["end", "stop", "throw"] {
            let log = Log<String>()
            let elements = Elements(log: log, throwsAtEnd: input == "throw")
            let signal = Signals.from(elements)
            let recorder = Recorder(
                signal,
                onNext: { input == "stop" && $0 == 2 ? .stop : .more },
                onEnd: { log.append("end heard") }
            )
            await offThePool { recorder.waitForEnd() }
            #expect(log.entries == ["iterator gone", "end heard"], "\(input)")
            #expect(recorder.values == (input == "stop" ? [1, 2] : [1, 2, 3]))
            #expect(recorder.events.last == (input == "throw" ? .failed("thrown") : .completed))
            #expect(signal.chain.description == "[asyncSequence]")
        }
    }

    @Test func anAsyncSequenceIsNotWalkedWhenNothingIsWanted() {
        let log = Log<String>()
        let signal = Signals.from(Elements(log: log, throwsAtEnd: false))
        let recorder = Recorder(
            Signals.concat(Signals.just(0, failure: TestFailure.self).eraseToAnySignal(), signal.eraseToAnySignal())
                .take(first: 1)
        )
        #expect(recorder.events == [.next(0), .completed])
        #expect(log.entries == [])
    }

    private static func later(_ value: Int) async -> Int {
        await Task.yield()
        return value
    }
}

/// Sends 1, 2, 3, and reports when its iterator is freed.
private struct Elements: AsyncSequence, Sendable {
    typealias Element = Int
    typealias Failure = TestFailure
    let log: Log<String>
    let throwsAtEnd: Bool

    func makeAsyncIterator() -> Iterator { Iterator(log: log, throwsAtEnd: throwsAtEnd) }

    final class Iterator: AsyncIteratorProtocol {
        private let log: Log<String>
        private let throwsAtEnd: Bool
        private var last = 0

        init(log: Log<String>, throwsAtEnd: Bool) {
            self.log = log
            self.throwsAtEnd = throwsAtEnd
        }

        deinit {
            log.append("iterator gone")
        }

        func next(isolation actor: isolated (any Actor)?) async throws(TestFailure) -> Int? {
            if last == 3 {
                if throwsAtEnd { throw "thrown" }
                return nil
            }
            last += 1
            return last
        }

        func next() async throws(TestFailure) -> Int? { try await next(isolation: nil) }
    }
}
