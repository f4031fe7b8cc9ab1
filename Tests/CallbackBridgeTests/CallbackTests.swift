import Bus
import BusTesting
import CallbackBridge
import Glibc
import TestSupport
import Testing

/// What a C library would keep: a function and its context.
private struct Registered: Sendable {
    // Passed back unchanged.
    nonisolated(unsafe) let context: UnsafeMutableRawPointer

    static let callback: @convention(c) (UnsafeMutableRawPointer?, CInt) -> Void = { context, number in
        let emitter = CallbackContext<Int, TestFailure>.emitter(for: context)
        if number < 0 { emitter?.complete() } else { emitter?.send(Int(number)) }
    }

    func call(_ number: CInt) { Self.callback(context, number) }
}

@Suite("C callbacks with a context")
struct CCallbackTests {
    private func signal(
        _ registered: Heard<Registered>,
        _ unregistered: Heard<Registered> = Heard(),
        during: @escaping @Sendable (Registered) -> Void = { _ in }
    ) -> some Signal<Int, TestFailure> {
        Signals.fromCCallback(of: Int.self, failure: TestFailure.self) { context throws(TestFailure) -> Registered in
            let made = Registered(context: context.pointer)
            registered.append(made)
            return made
        } unregister: { made in
            during(made)
            unregistered.append(made)
        }
    }

    @Test("the library's calls are heard until the callback reports the end")
    func heard() {
        let (registered, unregistered) = (Heard<Registered>(), Heard<Registered>())
        let recorder = Recorder(signal(registered, unregistered), onEnd: { #expect(unregistered.values.count == 1) })
        for number in 1...3 as ClosedRange<CInt> { registered.values[0].call(number) }
        #expect(unregistered.values.isEmpty)
        registered.values[0].call(-1)
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
        #expect(unregistered.values.count == 1)
    }

    @Test("a callback during and after unregistering is not heard and is harmless, even if its slot is reused")
    func late() {
        let registered = Heard<Registered>()
        let recorder = Recorder(signal(registered, during: { $0.call(8) }))
        registered.values[0].call(1)
        recorder.dispose()
        let next = Recorder(signal(registered))
        for _ in 0..<100 { registered.values[0].call(9) }
        registered.values[1].call(2)
        #expect(recorder.values == [1] && recorder.eventsAfterDisposal == 0 && next.values == [2])
        next.dispose()
        registered.values[1].call(3)
        Registered.callback(nil, 4)
        #expect(next.values == [2])
    }

    @Test("callbacks from a thread of C's while the subscription ends")
    func racing() throws {
        for _ in 0..<Stress.rounds(50, stress: 200) {
            let registered = Heard<Registered>()
            let first = Latch()
            let isOver = Lock(false)
            let recorder = Recorder(signal(registered)) { _ in
                first.open()
                return .more
            }
            let made = registered.values[0]
            let library = try TestThread {
                while !isOver.withLock({ $0 }) { made.call(1) }
            }
            first.wait()
            recorder.dispose()
            // Only the call that was in progress may still be heard.
            #expect(recorder.eventsAfterDisposal <= 1)
            let heard = recorder.valueCount
            for _ in 0..<100 { made.call(2) }
            isOver.withLock { $0 = true }
            library.wait()
            #expect(recorder.valueCount <= heard + 1 && !recorder.values.contains(2))
            #expect(recorder.violations == [])
        }
    }

    @Test("an error thrown by registering is the failure, and nothing is unregistered")
    func throwing() {
        let unregistered = Heard<Int>()
        let signal = Signals.fromCCallback(of: Int.self, failure: TestFailure.self) { _ throws(TestFailure) -> Int in
            throw "no room"
        } unregister: {
            unregistered.append($0)
        }
        #expect(Recorder(signal).events == [.failed("no room")])
        #expect(unregistered.values.isEmpty)
    }

    @Test("a thread of the C library")
    func thread() {
        let signal = Signals.fromCCallback(of: Int.self) { context in
            var thread = pthread_t()
            let code = pthread_create(
                &thread,
                nil,
                { context in
                    for number in 1...3 { CallbackContext<Int, Never>.emitter(for: context)?.send(number) }
                    CallbackContext<Int, Never>.emitter(for: context)?.complete()
                    return nil
                },
                context.pointer
            )
            #expect(code == 0)
            return thread
        } unregister: { thread in
            pthread_detach(thread)
        }
        let recorder = Recorder(signal)
        recorder.waitForEnd()
        #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }

    @Test("calls while the observer pauses are queued, and those beyond the limit are dropped and counted")
    func pausing() {
        let expected: [(Overflow<Never>, values: [Int], lost: Int)] = [
            (.pause, [1, 2, 3], 3), (.dropNewest, [1, 2, 3], 3), (.dropOldest, [1, 5, 6], 3),
        ]
        for (overflow, values, lost) in expected {
            let pointers = Lock<[UInt]>([])
            let signal = Signals.fromCCallback(of: Int.self, limit: 2, overflow: overflow) { made in
                let number = UInt(bitPattern: made.pointer)
                pointers.withLock { $0.append(number) }
            } unregister: {
            }
            let time = TestScheduler()
            let recorder = Recorder(signal.deliver(on: time, limit: 1))
            let pointer = UnsafeMutableRawPointer(bitPattern: pointers.withLock { $0[0] })
            for number in 1...6 { CallbackContext<Int, Never>.emitter(for: pointer)?.send(number) }
            time.advance(by: .milliseconds(1))
            #expect(recorder.values == values && recorder.lost == lost)
            recorder.dispose()
        }
    }

    @Test("it keeps the delivery contract")
    func contract() {
        let check = ContractCheck(
            bridge: "fromCCallback",
            except: [
                .losses: "a C callback cannot say that values are missing",
                .freedWithItsSources: "a C library does not say that it has forgotten a callback",
            ]
        ) {
            let context = Lock<UInt>(0)
            let signal = Signals.fromCCallback(of: RoundTrip.Spoken.self) { made in
                let number = UInt(bitPattern: made.pointer)
                context.withLock { $0 = number }
            } unregister: {
            }
            return (
                { spoken in
                    let pointer = UnsafeMutableRawPointer(bitPattern: context.withLock { $0 })
                    CallbackContext<RoundTrip.Spoken, Never>.emitter(for: pointer)?.send(spoken)
                },
                signal.eraseToAnySignal()
            )
        }
        #expect(check.violations() == [])
    }
}

private final class Door: @unchecked Sendable {
    // Used by one thread in a test, or protected by the slots' order.
    var onOpen: (@Sendable (Int) -> Void)?
    weak var delegate: Delegate?

    init() {}
}

/// A door whose property takes as long to set as the test wants.
private final class SlowDoor: Sendable {
    let isBeingSet = Latch()
    let maySet = Latch()

    var onOpen: (@Sendable (Int) -> Void)? {
        get { nil }
        set {
            isBeingSet.open()
            maySet.wait()
        }
    }
}

private final class OwnedDoor: LifetimeOwner, @unchecked Sendable {
    // Used by one thread.
    var onOpen: (@Sendable (Int) -> Void)?
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
}

private final class Delegate: Sendable {
    let emitter: Emitter<Int, Never>

    init(_ emitter: Emitter<Int, Never>) {
        self.emitter = emitter
    }
}

@Suite("Closure properties")
struct ClosurePropertyTests {
    @Test("all listeners share the closure; the old one is still called, and restored with the last")
    func sharing() {
        let door = Door()
        let before = Heard<Int>()
        door.onOpen = { before.append($0) }
        let first = Recorder(Signals.calls(of: door, at: \.onOpen))
        let second = Recorder(Signals.calls(of: door, at: \.onOpen))
        door.onOpen?(1)
        first.dispose()
        door.onOpen?(2)
        second.dispose()
        door.onOpen?(3)
        #expect(first.values == [1] && second.values == [1, 2] && before.values == [1, 2, 3])
        let third = Recorder(Signals.calls(of: door, at: \.onOpen))
        door.onOpen?(4)
        third.dispose()
        #expect(third.values == [4] && before.values == [1, 2, 3, 4])
    }

    @Test("a closure that replaces it stays, and the chain is freed")
    func replaced() {
        let door = Door()
        weak var canary: Canary?
        let handle: any Disposable
        do {
            let bird = Canary()
            canary = bird
            handle = Signals.calls(of: door, at: \.onOpen).subscribe(next: { _ in bird.sing() })
        }
        #expect(canary != nil)
        let after = Heard<Int>()
        door.onOpen = { after.append($0) }
        #expect(canary == nil)
        handle.dispose()
        door.onOpen?(1)
        #expect(after.values == [1])
    }

    @Test("an object that dies frees the chain, or ends it if the object reports its death")
    func death() {
        weak var canary: Canary?
        do {
            let (door, bird) = (Door(), Canary())
            canary = bird
            _ = Signals.calls(of: door, at: \.onOpen).subscribe(next: { _ in bird.sing() })
        }
        #expect(canary == nil)
        var door: OwnedDoor? = OwnedDoor()
        let recorder = door.map { Recorder(Signals.calls(of: $0, at: \.onOpen)) }
        door?.onOpen?(1)
        door = nil
        #expect(recorder?.events == [.next(1), .completed])
    }

    @Test("a listener that pauses delays neither the caller nor another listener")
    func pausing() {
        let door = Door()
        let time = TestScheduler()
        let slow = Recorder(
            Signals.calls(of: door, at: \.onOpen, limit: 2, overflow: .dropOldest).deliver(on: time, limit: 1)
        )
        let quick = Recorder(Signals.calls(of: door, at: \.onOpen))
        for number in 1...6 { door.onOpen?(number) }
        #expect(quick.values == Array(1...6))
        time.advance(by: .milliseconds(1))
        #expect(slow.values == [1, 5, 6] && slow.lost == 3)
        for recorder in [slow, quick] { recorder.dispose() }
    }

    @Test("a property that takes long to set delays no other")
    func slowSetter() throws {
        let (slow, door) = (SlowDoor(), Door())
        let thread = try TestThread { Signals.calls(of: slow, at: \.onOpen).subscribe().dispose() }
        slow.isBeingSet.wait()
        let recorder = Recorder(Signals.calls(of: door, at: \.onOpen))
        door.onOpen?(1)
        #expect(recorder.values == [1])
        slow.maySet.open()
        thread.wait()
    }

    @Test("listeners added and removed on two threads leave the property as it was")
    func comingAndGoing() throws {
        let door = Door()
        let before = Heard<Int>()
        door.onOpen = { before.append($0) }
        let threads = try (0..<2).map { _ in
            try TestThread {
                for _ in 0..<Stress.rounds(500, stress: 2000) {
                    Signals.calls(of: door, at: \.onOpen).subscribe().dispose()
                }
            }
        }
        for thread in threads { thread.wait() }
        door.onOpen?(1)
        #expect(before.values == [1])
        let recorder = Recorder(Signals.calls(of: door, at: \.onOpen))
        door.onOpen?(2)
        recorder.dispose()
        door.onOpen?(3)
        #expect(recorder.values == [2] && before.values == [1, 2, 3])
    }
}

@Suite("Delegates and completion handlers")
struct DelegateTests {
    @Test("the delegate is kept while there are listeners, and detached once")
    func delegates() {
        let door = Door()
        let detached = Heard<Bool>()
        let signal = Signals.fromDelegate(make: { Delegate($0) }) { delegate in
            door.delegate = delegate
        } detach: { delegate in
            detached.append(door.delegate === delegate)
            door.delegate = nil
        }
        let recorder = Recorder(signal, onEnd: { #expect(detached.values.count == 1) })
        let delegate = door.delegate
        delegate?.emitter.send(1)
        delegate?.emitter.complete()
        delegate?.emitter.send(2)
        #expect(recorder.events == [.next(1), .completed])
        let other = Recorder(signal)
        door.delegate?.emitter.send(3)
        other.dispose()
        #expect(other.values == [3] && detached.values == [true, true] && door.delegate == nil)
    }

    @Test("calls to a delegate while the observer pauses are queued as specified")
    func pausing() {
        let door = Door()
        let signal = Signals.fromDelegate(limit: 2, make: { Delegate($0) }) { delegate in
            door.delegate = delegate
        } detach: { _ in
            door.delegate = nil
        }
        let time = TestScheduler()
        let recorder = Recorder(signal.deliver(on: time, limit: 1))
        let emitter = door.delegate?.emitter
        for number in 1...6 { emitter?.send(number) }
        time.advance(by: .milliseconds(1))
        #expect(recorder.values == [1, 2, 3] && recorder.lost == 3)
        emitter?.complete()
        time.advance(by: .milliseconds(1))
        #expect(recorder.hasEnded)
    }

    @Test("a completion handler counts once; with an error, or with neither")
    func completions() {
        let handlers = Heard<@Sendable (Int) -> Void>()
        let stopped = Heard<Int>()
        let signal = Signals.fromCompletion(of: Int.self) { handler in
            handlers.append(handler)
            return ActionDisposable { stopped.append(1) }
        }
        let recorder = Recorder(signal)
        handlers.values[0](1)
        handlers.values[0](2)
        #expect(recorder.events == [.next(1), .completed] && stopped.values == [1])
        let cancelled = Recorder(signal)
        cancelled.dispose()
        handlers.values[1](3)
        #expect(cancelled.events.isEmpty && stopped.values == [1, 1])

        func outcome(_ value: Int?, _ error: TestFailure?) -> String {
            let signal = Signals.fromCompletionOrError(
                of: Int.self,
                { handler in
                    handler(value, error)
                    return nil
                }
            )
            return Recorder(signal).marbles()
        }
        #expect(outcome(1, nil) == "(1|)")
        #expect(outcome(1, "wrong") == "x'wrong'")
        #expect(outcome(nil, nil) == "|")
        let result = Signals.fromCompletionResult(
            of: Int.self,
            failure: TestFailure.self,
            { handler in
                handler(.failure("no"))
                return nil
            }
        )
        #expect(Recorder(result).events == [.failed("no")])
    }

    @Test("a handler that is dropped without a call frees the chain")
    func dropped() {
        weak var canary: Canary?
        let handle: any Disposable
        do {
            let bird = Canary()
            canary = bird
            handle = Signals.fromCompletion(of: Int.self) { _ in nil }.subscribe(next: { _ in bird.sing() })
        }
        #expect(canary == nil)
        handle.dispose()
    }
}
