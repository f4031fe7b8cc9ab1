import Bus
import TestSupport
import Testing
import Timers

/// What a full queue once did to a whole process: it made the one thread wait on which all timers run.
@Suite("A queue that is full leaves the timers alone")
struct FreezingTests {
    @Test("an interval that runs ahead of another in a zip")
    func zip() async {
        let ahead = Signals.interval(every: .milliseconds(1)).zip(Signals.interval(every: .seconds(3600)), limit: 8)
        await othersTick { ahead.subscribe(next: { _ in }) }
    }

    @Test("an interval that starts more than one thing after the other can do")
    func concat() async {
        let piling = Signals.interval(every: .milliseconds(1))
            .flatMap(.concat, limit: 8) { _ in Signals.timer(after: .seconds(3600)) }
        await othersTick { piling.subscribe(next: { _ in }) }
    }

    @Test("an interval that is heard on a thread which is busy")
    func deliver() async {
        let (worker, isBusy, mayGoOn) = (ThreadScheduler(name: "busy"), Latch(), Latch())
        worker.schedule {
            isBusy.open()
            mayGoOn.wait()
        }
        await offThePool { isBusy.wait() }
        await othersTick {
            Signals.interval(every: .milliseconds(1)).deliver(on: worker, limit: 8).subscribe(next: { _ in })
        }
        mayGoOn.open()
    }

    @Test("an interval beside another source whose listener takes long")
    func merge() async throws {
        let (slow, start) = (Subject(of: Int.self), Subject(of: Void.self))
        let (isBusy, mayGoOn) = (Latch(), Latch())
        let ticks = start.flatMap { Signals.interval(every: .milliseconds(1)).map(\.index) }
        let subscription = slow.merge(ticks).subscribe(next: { number in
            guard number < 0 else { return }
            isBusy.open()
            mayGoOn.wait()
        })
        // The listener takes long on this thread, and has begun to before there are any ticks.
        let thread = try TestThread { slow.send(-1) }
        await offThePool { isBusy.wait() }
        await othersTick {
            start.send(())
            return subscription
        }
        mayGoOn.open()
        await offThePool { thread.wait() }
    }

    /// Starts something, and then hears an interval of its own on the same scheduler tick for longer than the queue takes to
    /// fill.
    private func othersTick(beside start: () -> any Disposable) async {
        let handle = start()
        let enough = Latch()
        let beat = Signals.interval(every: .milliseconds(2)).take(first: 30).subscribe(completed: { enough.open() })
        await offThePool { enough.wait() }
        beat.dispose()
        handle.dispose()
    }
}
