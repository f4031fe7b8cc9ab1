import Bus
import BusTesting
import Foundation
import Glibc
import Loop
import Synchronization
import TestSupport
import Testing
import Timers

@testable import OSSignalBridge
import SystemPackage

/// These run in the tests' own process. `Integration` tests them with real senders and in all set-ups.
@Suite("OS signals as a signal", .serialized)
struct OSSignalsTests {
    @Test("the delivery contract is kept")
    func contract() {
        let scheduler = ThreadScheduler(name: "contract")
        let check = ContractCheck(
            "osSignals",
            except: [.sendersOnTwoThreads: "there is one reader"],
            bound: 65_536,
            settle: {
                // Twice, because the work itself may cause another delivery.
                for _ in 0..<2 {
                    guard !scheduler.isCurrent else { return }
                    let done = Latch()
                    scheduler.schedule { done.open() }
                    done.wait()
                }
            }
        ) { sources in
            Signals.osSignals(on: scheduler, limit: 65_536) { emitter in
                sources[0].subscribe(
                    next: { emitter.send(OSSignal(number: SIGUSR1, value: CInt($0))) },
                    failed: { _ in emitter.fail(.system(operation: "test", errno: .ioError)) },
                    completed: { emitter.complete() },
                    lost: { emitter.sendLoss(of: $0) }
                )
            }
        }
        #expect(check.violations() == [])
    }

    @Test("a chain is released outside the lock: what it holds may listen to another signal")
    func releasedChain() async throws {
        let (set, other) = (try OSSignalSet([52]), try OSSignalSet([53]))
        let next = Lock<(any Disposable)?>(nil)
        func listen() -> any Disposable {
            let held = AtRelease.closure {
                let listening = Signals.osSignals(other).subscribe(next: { _ in }, failed: { _ in })
                next.withLock { $0 = listening }
            }
            return Signals.osSignals(set).subscribe(next: { _ in held() }, failed: { _ in })
        }
        listen().dispose()
        await until { next.withLock { $0 != nil } }
        next.withLock { $0.take() }?.dispose()
        await until { OSSignalHub.shared.descriptor == nil }
    }

    @Test("a subscription that pauses hears everything afterwards, and delays no other")
    func pausing() throws {
        let set = try OSSignalSet([51])
        let paused = PausedListening(Signals.osSignals(set), after: 1)
        let other = PausedListening(Signals.osSignals(set), after: .max)
        for value in 1...300 as ClosedRange<CInt> { sigqueue(getpid(), 51, sigval(sival_int: value)) }
        try other.waitForValues(300)
        #expect(paused.values.count == 1)
        // A signal that interrupted a thread of the tests is passed on, and may have changed places with another.
        #expect(Set(other.values.map(\.value)) == Set(1...300))
        paused.release(1)
        try paused.waitForValues(2)
        paused.release()
        try paused.waitForValues(300)
        #expect(paused.values == other.values)
        #expect(paused.overrun == 0 && paused.lost == 0)
        paused.dispose()
        other.dispose()
        settle()
        #expect(OSSignalHub.shared.descriptor == nil)
    }

    @Test("a subscription that pauses has a bounded queue, and hears how many signals it lost")
    func bound() throws {
        let source = ProbeSource<Int, OSSignalError>()
        let paused = PausedListening(
            Signals.osSignals(on: ImmediateScheduler(), limit: 4) { emitter in
                source.subscribe(
                    next: { emitter.send(OSSignal(number: SIGUSR1, value: CInt($0))) },
                    failed: { _ in },
                    lost: { emitter.sendLoss(of: $0) }
                )
            },
            after: 1
        )
        for value in 1...10 { source.send(value) }
        #expect(paused.values.map(\.value) == [1] && source.pauses == 0)
        paused.release()
        #expect(paused.values.map(\.value) == [1, 2, 3, 4, 5] && paused.lost == 5)
        source.send(11)
        #expect(paused.values.last?.value == 11 && paused.overrun == 0)
    }

    @Test("a subscription disposed of while it pauses restores the signal's action, and is freed")
    func disposalWhilePausing() throws {
        let set = try OSSignalSet([52])
        weak var canary: Canary?
        let paused: PausedListening<OSSignal, OSSignalError>
        do {
            let bird = Canary()
            canary = bird
            paused = PausedListening(Signals.osSignals(set).on(next: { _ in bird.sing() }), after: 1)
        }
        sigqueue(getpid(), 52, sigval(sival_int: 1))
        try paused.waitForPause()
        paused.dispose()
        settle()
        #expect(canary == nil)
        #expect(OSSignalHub.shared.descriptor == nil && !isTaken(52))
    }

    @Test("a subscription's descriptor is closed with it")
    func disposal() throws {
        let set = try OSSignalSet([50])
        for _ in 0..<100 {
            let recorder = Recorder(Signals.osSignals(set))
            #expect(OSSignalHub.shared.descriptor != nil)
            recorder.dispose()
        }
        settle()
        #expect(OSSignalHub.shared.descriptor == nil)
    }

    @Test("disposed of inside its own callback it hears nothing more, and the previous action is restored")
    func disposalInsideCallback() throws {
        let number: CInt = 53
        // A signal that arrives after the disposal must not end the tests.
        signal(number, SIG_IGN)
        defer { signal(number, SIG_DFL) }
        let set = try OSSignalSet([number])
        let subscription = SerialDisposable()
        let heard = Lock(0)
        let first = Latch()
        subscription.set(
            Signals.osSignals(set).subscribe(
                next: { _ in
                    heard.withLock { $0 += 1 }
                    subscription.dispose()
                    first.open()
                },
                failed: { Issue.record($0) }
            )
        )
        #expect(!isIgnored(number))
        for value in 1...10 as ClosedRange<CInt> { sigqueue(getpid(), number, sigval(sival_int: value)) }
        first.wait()
        settle()
        #expect(heard.withLock { $0 } == 1)
        #expect(isIgnored(number))
    }

    @Test("a subscription disposed of before it begins, or one that requests nothing, leaves nothing behind")
    func wantsNothing() throws {
        let set = try OSSignalSet([55])
        let recorder = Recorder(Signals.osSignals(set).take(first: 0))
        recorder.waitForEnd()
        #expect(recorder.violations == [])
        settle()
        #expect(OSSignalHub.shared.descriptor == nil)
        #expect(!isTaken(55))
    }

    @Test("several threads subscribe and leave at once, and the signal's action is restored once")
    func manyThreads() throws {
        let set = try OSSignalSet([56, 57])
        let done = (0..<4).map { _ in Latch() }
        for latch in done {
            try PinnedThread.start(name: "test") {
                for _ in 0..<Stress.rounds(200, stress: 500) {
                    let subscription = Signals.osSignals(set).subscribe(next: { _ in }, failed: { Issue.record($0) })
                    subscription.dispose()
                }
                latch.open()
            }
        }
        for latch in done { latch.wait() }
        let last = Recorder(Signals.osSignals(set))
        #expect(isTaken(56) && isTaken(57))
        last.dispose()
        settle()
        #expect(OSSignalHub.shared.descriptor == nil)
        #expect(!isTaken(56) && !isTaken(57))
    }

    @Test("a signal that interrupts a thread as the last listener goes is not left in the reading thread")
    func givenBackMeanwhile() throws {
        let number: CInt = 58
        signal(number) { _ in }
        defer { signal(number, SIG_DFL) }
        let set = try OSSignalSet([number])
        for _ in 0..<Stress.rounds(20, stress: 50) {
            let done = Latch()
            try PinnedThread.start(name: "interrupted") {
                var own = sigset_t()
                sigemptyset(&own)
                sigaddset(&own, number)
                pthread_sigmask(SIG_UNBLOCK, &own, nil)
                for value in 0..<200 as Range<CInt> { sigqueue(getpid(), number, sigval(sival_int: value)) }
                done.open()
            }
            for _ in 0..<20 { Signals.osSignals(set).subscribe(next: { _ in }, failed: { Issue.record($0) }).dispose() }
            done.wait()
            settle()
            let reading = try #require(ThreadMask(OSSignalHub.shared.thread))
            #expect(reading.pending.isDisjoint(with: set.bits))
        }
    }

    @Test("a handler that was installed over ours, and calls it, is no end of the signals, and spins in no case")
    func chained() async {
        await #expect(processExitsWith: .success) {
            let set = try OSSignalSet([SIGUSR2])
            let heard = Recorder(Signals.osSignals(set))
            await until { Handlers.isTaken(SIGUSR2) }
            Handlers.install(over: SIGUSR2)
            await Handlers.raise(SIGUSR2)
            await until { heard.values.count == 1 }
            heard.dispose()
            await until { OSSignalHub.shared.descriptor == nil }
            // Nobody listens, and the handler that was there before was the default.
            await Handlers.raise(SIGUSR2)
            precondition(Handlers.calls.load(ordering: .relaxed) == 2)
            // Taken from the other handler, and given back to it: it calls us, and we are not to call it again.
            let again = Recorder(Signals.osSignals(set))
            await until { Handlers.isTaken(SIGUSR2) }
            await Handlers.raise(SIGUSR2)
            await until { again.values.count == 1 }
            again.dispose()
            await until { OSSignalHub.shared.descriptor == nil }
            await Handlers.raise(SIGUSR2)
            // It cannot be told from a signal that came before it was given back, so the handler may run twice.
            precondition((3...4).contains(Handlers.calls.load(ordering: .relaxed)))
            // It leaves, and puts ours back, which nobody has taken.
            Handlers.remove(from: SIGUSR2)
            let last = Recorder(Signals.osSignals(set))
            await until { OSSignalHub.shared.descriptor != nil }
            await Handlers.raise(SIGUSR2)
            await until { last.values.count == 1 }
            _exit(0)
        }
    }

    func settle() {
        let settled = Latch()
        guard (try? EventLoop.shared.perform { settled.open() }) != nil else { return }
        settled.wait()
    }

    private func isIgnored(_ number: CInt) -> Bool { disposition(number) == 1 }

    private func isTaken(_ number: CInt) -> Bool { disposition(number) > 1 }

    /// 0 for the default action, 1 for ignoring it, a handler's address otherwise.
    private func disposition(_ number: CInt) -> Int {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
}

/// A handler as a library installs it: it remembers the one before, and calls it.
private enum Handlers {
    static let calls = Atomic<Int>(0)
    // Written before the handler is installed.
    nonisolated(unsafe) private static var before = sigaction()
    nonisolated(unsafe) private static var own = 0

    static func install(over number: CInt) {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, info, context in
            Handlers.calls.wrappingAdd(1, ordering: .relaxed)
            Handlers.before.__sigaction_handler.sa_sigaction(number, info, context)
        }
        action.sa_flags = SA_SIGINFO
        sigaction(number, nil, &before)
        sigaction(number, &action, nil)
        own = present(number)
    }

    static func remove(from number: CInt) { sigaction(number, &before, nil) }

    /// Whether there is a handler that is not the one above.
    static func isTaken(_ number: CInt) -> Bool { present(number) > 1 && present(number) != own }

    /// On a thread that does not block it, and returns when all handlers have.
    static func raise(_ number: CInt) async {
        await offThePool {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, number)
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            _ = Glibc.raise(number)
        }
    }

    private static func present(_ number: CInt) -> Int {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
}
