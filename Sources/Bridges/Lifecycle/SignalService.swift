// The trait `ServiceLifecycle` turns this target on; without it, it is empty and swift-service-lifecycle is no
// dependency.
#if ServiceLifecycle
    public import Bus
    public import ServiceLifecycle
    import Synchronization
    import Timers

    /// A subscription as a service; made by ``Bus/Signal/service(named:after:drainingWithin:limit:overflow:lost:undrained:_:)``.
    public struct SignalService<Source: Signal>: Service {
        let name: String
        let source: Source
        let predecessors: [ServiceStart]
        let draining: Duration
        let limit: Int
        let overflow: Overflow<Source.Failure>
        let lost: @Sendable (Int) -> Void
        let undrained: @Sendable (UndrainedService) -> Void
        let handle: @Sendable (Source.Value) async throws -> Void

        /// Ready once the signal is subscribed to.
        public let start = ServiceStart()

        /// Runs until the signal ends, a value cannot be handled, or the service is asked to end.
        ///
        /// - Throws: the signal's failure; the error of handling a value; `CancellationError` when the task is
        ///   cancelled; `ReceiveError.abandoned` when the signal's source is dropped without an end. A graceful
        ///   shutdown throws nothing.
        public func run() async throws {
            let stopping = ReplaySubject<Void, Never>(capacity: 1)
            try await withGracefulShutdownHandler {
                do {
                    for predecessor in predecessors {
                        let isFirst = try await predecessor.ready.map { true }.merge(stopping.map { false })
                            .firstValue()
                        // A predecessor that is gone will not get ready.
                        guard isFirst ?? true else { return }
                    }
                    try await runStarted(until: stopping)
                } catch ReceiveError<Never>.cancelled {
                    throw CancellationError()
                }
            } onGracefulShutdown: {
                stopping.send(())
            }
        }

        private enum Outcome: Sendable {
            case ended(Result<Void, any Error>)
            case deadline
        }

        private func runStarted(until stopping: ReplaySubject<Void, Never>) async throws {
            let ended = ReplaySubject<Outcome, Never>(capacity: 1)
            let tally = Tally()
            // Not a child task: a task that ignores its cancellation must not hold up the shutdown.
            let consumer = Task {
                do {
                    try await consume(until: stopping, tally)
                    ended.send(.ended(.success(())))
                } catch ReceiveError<Source.Failure>.failed(let failure) {
                    ended.send(.ended(.failure(failure)))
                } catch ReceiveError<Source.Failure>.cancelled {
                    ended.send(.ended(.failure(CancellationError())))
                } catch {
                    ended.send(.ended(.failure(error)))
                }
            }
            let deadline = stopping.delay(draining).map { Outcome.deadline }
            let outcome: Outcome?
            do {
                outcome = try await ended.merge(deadline).firstValue()
            } catch {
                // Neither signal fails or loses anything, so that the task was cancelled.
                consumer.cancel()
                report(tally, .cancelled)
                throw CancellationError()
            }
            consumer.cancel()
            switch outcome {
            case .ended(.success), nil: return
            case .ended(.failure(let error)):
                report(tally, .failed)
                throw error
            case .deadline: report(tally, .deadline(draining))
            }
        }

        private func consume(until stopping: ReplaySubject<Void, Never>, _ tally: Tally) async throws {
            let values = source.take(until: stopping)
                // Values missing upstream come back as lost below.
                .on(
                    next: { _ in tally.taken.add(1, ordering: .relaxed) },
                    lost: { tally.taken.add($0, ordering: .relaxed) }
                )
                .values(limit: limit, overflow: overflow, lost: lost)
            var iterator = values.makeAsyncIterator()
            tally.lost.withLock { [lostSoFar = iterator.lostSoFar] in $0 = lostSoFar }
            start.markReady()
            while let value = try await iterator.next() {
                try await handle(value)
                tally.handled.add(1, ordering: .relaxed)
            }
        }

        private func report(_ tally: Tally, _ reason: UndrainedService.Reason) {
            let values = tally.open
            if values > 0 { undrained(UndrainedService(service: name, values: values, reason: reason)) }
        }
    }

    /// Counts what happened to the values.
    private final class Tally: Sendable {
        let taken = Atomic<Int>(0)
        let lost = Mutex<@Sendable () -> Int>({ 0 })
        let handled = Atomic<Int>(0)

        var open: Int {
            // In this order, so that values handled meanwhile do not count twice.
            let lost = lost.withLock { $0 }
            let done = handled.load(ordering: .relaxed) + lost()
            return taken.load(ordering: .relaxed) - done
        }
    }
#endif
