import TestSupport
import Testing

@testable import Bus

@Suite("A task that waits for room")
struct ObserverReadinessTests {
    @Test("it resumes when it is called, and asks again")
    func called() async {
        let asked = Lock(0)
        let demand = await ObserverReadiness.wait { resume in
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            guard count == 1 else { return .more }
            resume()
            return .pause
        }
        #expect(demand == .more)
        #expect(asked.withLock { $0 } == 2)
    }

    @Test("it stops when its possible caller is gone")
    func forgotten() async {
        let demand = await ObserverReadiness.wait { _ in .pause }
        #expect(demand == .stop)
    }

    @Test("it stops when it is cancelled, even if it may still be called")
    func cancelled() async {
        let (kept, isAsked) = (Log<@Sendable () -> Void>(), Latch())
        let task = Task {
            await ObserverReadiness.wait { resume in
                kept.append(resume)
                isAsked.open()
                return .pause
            }
        }
        await offThePool { isAsked.wait() }
        task.cancel()
        let demand = await task.value
        #expect(demand == .stop)
        // These calls come too late.
        for resume in kept.entries { resume() }
    }

    @Test("it does not ask if it is already cancelled")
    func cancelledBefore() async {
        let asked = Log<Int>()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await ObserverReadiness.wait { _ in
                asked.append(1)
                return .more
            }
        }
        task.cancel()
        let demand = await task.value
        #expect(demand == .stop)
        #expect(asked.entries == [])
    }

    @Test("A subject forgets a task that is cancelled while it waits, and calls the others in their order")
    func withdrawn() async {
        let subject = Subject(of: Int.self)
        let gate = ThreadScheduler(name: "reader")
        let (isHeld, mayGoOn) = (Latch(), Latch())
        gate.schedule {
            isHeld.open()
            mayGoOn.wait()
        }
        await offThePool { isHeld.wait() }
        let heard = Log<Int>()
        let subscription = subject.deliver(on: gate, limit: 1).subscribe(next: { heard.append($0) })
        subject.send(0)
        #expect(subject.demand == .pause)

        let waiting = (1...100).map { number in Task { await subject.sendWhenReady(number) } }
        await until { subject.core.pending.withLock { $0.resumes.count } == waiting.count }
        for task in waiting.dropLast() { task.cancel() }
        for task in waiting.dropLast() { #expect(await task.value == false) }
        #expect(subject.core.pending.withLock { $0.resumes.count } == 1)

        mayGoOn.open()
        #expect(await waiting[99].value)
        await until { heard.entries.count == 2 }
        #expect(heard.entries == [0, 100])
        subscription.dispose()
    }
}
