import Bus
import BusTesting
import TestSupport
import Testing

@Suite("subscribe(on:)")
struct SubscribeOnTests {
    /// Reports where it is subscribed to and disposed of.
    private func source(_ thread: ThreadScheduler, _ log: Log<String>) -> some Signal<Int, Never> {
        Signals.create(of: Int.self) { _ in
            log.append("subscribed \(thread.isCurrent)")
            return ActionDisposable { log.append("disposed \(thread.isCurrent)") }
        }
    }

    @Test("subscribing and disposing happen on the scheduler")
    func both() {
        let thread = ThreadScheduler(name: "source")
        let log = Log<String>()
        let handle = source(thread, log).subscribe(on: thread).subscribe()
        thread.settle()
        handle.dispose()
        thread.settle()
        #expect(log.entries == ["subscribed true", "disposed true"])
    }

    @Test("disposed of before the scheduler runs it, it never subscribes, and frees its observer at once")
    func disposedEarly() {
        final class Canary: Sendable {
            func sing() {}
        }
        weak var weakly: Canary?
        let thread = ThreadScheduler(name: "source")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let log = Log<String>()
        let handle: any Disposable
        do {
            let canary = Canary()
            weakly = canary
            handle = source(thread, log).subscribe(on: thread).subscribe(next: { _ in canary.sing() })
        }
        #expect(weakly != nil)
        handle.dispose()
        #expect(weakly == nil)
        gate.open()
        thread.settle()
        #expect(log.entries == [])
    }

    @Test("values are heard where the source sends them")
    func values() {
        let (thread, other) = (ThreadScheduler(name: "source"), ThreadScheduler(name: "other"))
        let subject = Subject(of: Int.self)
        let places = Log<Bool>()
        let handle = subject.subscribe(on: thread).subscribe(next: { _ in places.append(other.isCurrent) })
        thread.settle()
        other.schedule { subject.send(1) }
        other.settle()
        #expect(places.entries == [true])
        handle.dispose()
    }

    @Test("inside a task, a sequence delivered elsewhere is slowed and loses nothing")
    func insideATask() async {
        let (thread, target) = (ThreadScheduler(name: "source"), ThreadScheduler(name: "target"))
        let count = Stress.rounds(10_000, stress: 50_000)
        let recorder = await Task.detached {
            Recorder(Signals.from(0..<count).subscribe(on: thread).deliver(on: target, limit: 16))
        }.value
        await offThePool { recorder.waitForEnd() }
        let arrivedAll = areAscending(recorder.values, count)
        #expect(arrivedAll)
        #expect(recorder.lost == 0)
    }

    @Test("an endless sequence that runs on the scheduler is ended by disposal", arguments: 0..<20)
    func endless(round: Int) {
        let thread = ThreadScheduler(name: "source")
        let reached = Latch()
        let recorder = Recorder(
            Signals.from(0...).subscribe(on: thread),
            onNext: { value in
                if value == round * 10 { reached.open() }
                return .more
            }
        )
        reached.wait()
        recorder.dispose()
        thread.settle()
        #expect(recorder.eventsAfterDisposal <= 1)
        #expect(recorder.violations == [])
    }

    @Test("disposing inside a callback: nothing comes after it")
    func inside() {
        let thread = ThreadScheduler(name: "source")
        let gate = Latch()
        thread.schedule { gate.wait() }
        let subscription = SerialDisposable()
        let heard = Log<Int>()
        subscription.set(
            Signals.from(0...).subscribe(on: thread).subscribe(next: { value in
                heard.append(value)
                if value == 3 { subscription.dispose() }
            })
        )
        // The handle is in its place before the first value arrives.
        gate.open()
        thread.settle()
        #expect(heard.entries == [0, 1, 2, 3])
    }
}
