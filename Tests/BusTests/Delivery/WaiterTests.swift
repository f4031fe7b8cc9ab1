import Bus
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("A waiter's outcome")
struct WaiterTests {
    @Test("the first outcome counts, said before or after somebody waits")
    func first() async {
        let early = Waiter<Int>()
        early.end(with: 1)
        early.end(with: 2)
        #expect(!early.isOpen)
        #expect(await early.outcome() == 1)
        let late = Waiter<Int>()
        let heard = Heard<Int>()
        late.then { heard.append($0) }
        #expect(late.isOpen && heard.values.isEmpty)
        late.end(with: 3)
        late.end(with: 4)
        #expect(!late.isOpen && heard.values == [3])
    }

    @Test("a thread waits until another says the outcome")
    func thread() async {
        let waiter = Waiter<Int>()
        let heard = await offThePool {
            let begun = Latch()
            let other = Lock<Int?>(nil)
            try? PinnedThread.start(name: "waiter") {
                begun.open()
                let outcome = waiter.outcomeOnThread()
                other.withLock { $0 = outcome }
            }
            begun.wait()
            waiter.end(with: 7)
            while other.withLock({ $0 }) == nil, !RunLimit.isOver { sched_yield() }
            return other.withLock { $0 }
        }
        #expect(heard == 7)
    }

    @Test("a cancelled task calls the work off, and one that has its outcome does not")
    func cancelled() async {
        let waiter = Waiter<Int>()
        let calledOff = Heard<String>()
        let begun = Waiter<Void>()
        let task = Task {
            await waiter.outcome(ifCancelled: -1) {
                begun.end(with: ())
                return { calledOff.append("work") }
            }
        }
        await begun.outcome()
        task.cancel()
        #expect(await task.value == -1)
        #expect(calledOff.values == ["work"])
        // What comes later is called off at once.
        waiter.onCancel { calledOff.append("late") }
        #expect(calledOff.values == ["work", "late"])

        // Cancelled while the work begins.
        let early = Task {
            await Waiter<Int>().outcome(ifCancelled: -1) {
                withUnsafeCurrentTask { $0?.cancel() }
                return { calledOff.append("early") }
            }
        }
        #expect(await early.value == -1)
        #expect(calledOff.values == ["work", "late", "early"])

        let done = Waiter<Int>()
        let outcome = await done.outcome(ifCancelled: -1) {
            done.end(with: 5)
            return { calledOff.append("done") }
        }
        done.onCancel { calledOff.append("done") }
        #expect(outcome == 5 && calledOff.values == ["work", "late", "early"])
    }

    @Test("work that has begun is released with the outcome")
    func released() async {
        let waiter = Waiter<Int>()
        weak var held: Latch?
        do {
            let object = Latch()
            held = object
            waiter.onCancel { object.open() }
        }
        #expect(held != nil)
        waiter.end(with: 1)
        #expect(held == nil)
        #expect(await waiter.outcome() == 1)
    }

    @Test("an outcome that was heard is kept no longer")
    func heard() {
        let waiter = Waiter<Latch>()
        weak var outcome: Latch?
        do {
            let latch = Latch()
            outcome = latch
            waiter.end(with: latch)
        }
        #expect(outcome != nil)
        waiter.then { $0.open() }
        #expect(outcome == nil)
        #expect(!waiter.isOpen)
    }

    @Test("a task that is cancelled before begins nothing")
    func cancelledBefore() async {
        let gate = Waiter<Void>()
        let begun = Heard<Int>()
        let task = Task {
            await gate.outcome()
            return await Waiter<Int>().outcome(ifCancelled: -1) {
                begun.append(1)
                return nil
            }
        }
        task.cancel()
        gate.end(with: ())
        #expect(await task.value == -1)
        #expect(begun.values.isEmpty)
    }

    @Test("of an outcome and a cancellation that race, one is heard, and the work is called off only by a cancellation")
    func race() async {
        for _ in 0..<Stress.rounds(500, stress: 50_000) {
            let waiter = Waiter<Int>()
            let calls = Heard<Int>()
            let task = Task { await waiter.outcome(ifCancelled: -1) { { calls.append(1) } } }
            async let said: Void = { waiter.end(with: 1) }()
            task.cancel()
            await said
            let outcome = await task.value
            // Cancelled before it began, the work was never there to be called off.
            #expect(outcome == 1 ? calls.values.isEmpty : calls.values.count <= 1)
        }
    }
}
