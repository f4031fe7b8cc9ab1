import Bus
import BusTesting
import Testing

@Suite("Sources")
struct SourceTests {
    @Test func aDeferredSignalIsMadeForEverySubscription() {
        let made = Lock(0)
        let signal = Signals.deferred {
            let count = made.withLock { made -> Int in
                made += 1
                return made
            }
            return Signals.from(1...count)
        }
        #expect(made.withLock { $0 } == 0)
        #expect(Recorder(signal).values == [1])
        #expect(Recorder(signal).values == [1, 2])
        #expect(signal.chain.description == "[deferred]")
        #expect(made.withLock { $0 } == 2)
    }

    @Test func anAttemptSendsWhatIsReturnedOrFailsWithWhatIsThrown() {
        let fine: Recorder<Int, Never> = Recorder(Signals.attempt { 42 })
        #expect(fine.events == [.next(42), .completed])
        let broken: Recorder<Int, TestFailure> = Recorder(Signals.attempt { () throws(TestFailure) in throw "no" })
        #expect(broken.events == [.failed("no")])
        let untyped: Recorder<Int, any Error> = Recorder(Signals.attempt { throw "no" as TestFailure })
        #expect(untyped.hasEnded)
    }

    @Test func anAttemptIsMadeForEverySubscriptionAndNotWhenNothingIsWanted() {
        let calls = Lock(0)
        let attempt = Signals.attempt {
            calls.withLock { calls -> Int in
                calls += 1
                return calls
            }
        }
        #expect(Recorder(attempt).values == [1])
        #expect(Recorder(attempt).values == [2])
        let neither = Recorder(Signals.concat(Signals.just(0), attempt).take(first: 1))
        #expect(neither.values == [0])
        #expect(calls.withLock { $0 } == 2)
    }

    @Test func usingReleasesAfterItsSignalHasAndBeforeTheEndIsHeard() {
        let log = Log<String>()
        let signal = Signals.using(
            { 5 },
            release: { log.append("released \($0)") },
            { resource in
                Signals.create(failure: TestFailure.self) { emitter in
                    emitter.send(resource)
                    emitter.complete()
                    return ActionDisposable { log.append("signal released") }
                }
            }
        )
        _ = signal.subscribe(
            next: { log.append("heard \($0)") },
            failed: { _ in },
            completed: { log.append("completed") }
        )
        #expect(log.entries == ["heard 5", "signal released", "released 5", "completed"])
    }

    @Test func usingReleasesOnceHoweverItEnds() {
        let released = Lock(0)
        let source = ProbeSource<Int, TestFailure>()
        let signal = Signals.using({ 1 }, release: { _ in released.withLock { $0 += 1 } }, { _ in source })
        func releases() -> Int {
            released.withLock { count -> Int in
                defer { count = 0 }
                return count
            }
        }

        let disposed = signal.subscribe(next: { _ in }, failed: { _ in })
        source.send(1)
        #expect(releases() == 0)
        disposed.dispose()
        disposed.dispose()
        #expect(releases() == 1)

        let stopped = Recorder(signal.take(first: 1))
        source.send(1)
        #expect(stopped.events == [.next(1), .completed])
        #expect(releases() == 1)

        let failing = signal.subscribe(next: { _ in }, failed: { _ in })
        source.fail("end")
        #expect(releases() == 1)
        failing.dispose()
        #expect(releases() == 0)
    }

    @Test func usingReleasesWhenItsSourceIsDroppedThoughTheHandleIsKept() {
        let released = Lock(0)
        var source: Subject<Int, Never>? = Subject(of: Int.self)
        let handle = source.map { source in
            Signals.using({ 1 }, release: { _ in released.withLock { $0 += 1 } }, { _ in source.map { $0 } })
                .subscribe()
        }
        #expect(released.withLock { $0 } == 0)
        source = nil
        #expect(released.withLock { $0 } == 1)
        handle?.dispose()
        #expect(released.withLock { $0 } == 1)
    }

    @Test func usingFailsWithWhatItsAcquisitionThrowsAndReleasesNothing() {
        let released = Lock(0)
        let signal = Signals.using(
            attempting: { () throws(TestFailure) -> Int in throw "locked" },
            release: { _ in released.withLock { $0 += 1 } },
            { Signals.just($0, failure: TestFailure.self) }
        )
        #expect(Recorder(signal).events == [.failed("locked")])
        #expect(released.withLock { $0 } == 0)
    }

    @Test func aCallbackIsUnregisteredOnceHoweverItEnds() {
        let center = Center()
        let signal = Signals.fromCallback(register: center.register, unregister: center.unregister)

        let recorder = Recorder(signal)
        center.call(1)
        center.call(2)
        #expect(recorder.events == [.next(1), .next(2)])
        recorder.dispose()
        recorder.dispose()
        center.call(3)
        #expect(recorder.values == [1, 2])
        #expect(center.unregistered.entries == [0])

        let taken = Recorder(signal.take(first: 1))
        center.call(4)
        #expect(taken.events == [.next(4), .completed])
        #expect(center.unregistered.entries == [0, 1])
        #expect(signal.chain.description == "[callback]")
    }

    @Test func aHandlerThatIsCalledWhileItIsRegisteredIsHeardAndMayEndIt() {
        let center = Center(callsAtOnce: 9)
        let signal = Signals.fromCallback(register: center.register, unregister: center.unregister)
        let unregisteredAtEnd = Lock(0)
        let recorder = Recorder(
            signal.take(first: 1),
            onEnd: { unregisteredAtEnd.withLock { $0 = center.unregistered.entries.count } }
        )
        #expect(recorder.events == [.next(9), .completed])
        #expect(unregisteredAtEnd.withLock { $0 } == 1)
        #expect(center.unregistered.entries == [0])
    }

    @Test func aHandlerMayBeCalledByTwoThreads() {
        let center = Center()
        let recorder = Recorder(Signals.fromCallback(register: center.register, unregister: center.unregister))
        defer { recorder.dispose() }
        let threads = Threads()
        for _ in 0..<2 { threads.start { for value in 0..<500 { center.call(value) } } }
        threads.wait()
        #expect(recorder.violations == [])
        #expect(recorder.values.count == 1_000)
    }
}

/// Calls the handlers that were registered with it.
private final class Center: Sendable {
    private let handlers = Lock((next: 0, byKey: [Int: @Sendable (Int) -> Void]()))
    private let callsAtOnce: Int?
    let unregistered = Log<Int>()

    init(callsAtOnce: Int? = nil) {
        self.callsAtOnce = callsAtOnce
    }

    func register(_ handler: @escaping @Sendable (Int) -> Void) -> Int {
        let key = handlers.withLock { handlers -> Int in
            defer { handlers.next += 1 }
            handlers.byKey[handlers.next] = handler
            return handlers.next
        }
        if let callsAtOnce { handler(callsAtOnce) }
        return key
    }

    func unregister(_ key: Int) {
        let handler = handlers.withLock { $0.byKey.removeValue(forKey: key) }
        if handler != nil { unregistered.append(key) } else { unregistered.append(-1) }
    }

    func call(_ value: Int) {
        for handler in handlers.withLock({ Array($0.byKey.values) }) { handler(value) }
    }
}
