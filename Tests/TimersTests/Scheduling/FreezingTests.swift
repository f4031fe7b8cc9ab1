import Bus
import TestSupport
import Testing
import Timers

/// A full queue once affected the whole process: it blocked the one thread on which all timers run.
@Suite("A full queue does not affect the timers")
struct FreezingTests {
    @Test("an interval that is faster than another in a zip")
    func zip() async {
        let ahead = Signals.interval(every: .milliseconds(1)).zip(Signals.interval(every: .seconds(3600)), limit: 8)
        await othersTick { ahead.subscribe(next: { _ in }) }
    }

    @Test("an interval that starts sequential work faster than it can be done")
    func concat() async {
        let piling = Signals.interval(every: .milliseconds(1))
            .flatMap(.concat, limit: 8) { _ in Signals.timer(after: .seconds(3600)) }
        await othersTick { piling.subscribe(next: { _ in }) }
    }

    @Test("an interval that is heard on a busy thread")
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

    @Test("an interval merged with another source whose listener is slow")
    func merge() async throws {
        let (slow, start) = (Subject(of: Int.self), Subject(of: Void.self))
        let (isBusy, mayGoOn) = (Latch(), Latch())
        let ticks = start.flatMap { Signals.interval(every: .milliseconds(1)).map(\.index) }
        let subscription = slow.merge(ticks).subscribe(next: { number in
            guard number < 0 else { return }
            isBusy.open()
            mayGoOn.wait()
        })
        // The listener is slow on this thread, and has started before the first tick.
        let thread = try TestThread { slow.send(-1) }
        await offThePool { isBusy.wait() }
        await othersTick {
            start.send(())
            return subscription
        }
        mayGoOn.open()
        await offThePool { thread.wait() }
    }

    /// Starts something. Then expects another interval on the same scheduler to tick for longer than the queue takes to
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
