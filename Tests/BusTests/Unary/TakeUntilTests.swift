import Bus
import BusTesting
import Testing

@Suite("take(until:) whose trigger fires while it is being subscribed to")
struct TakeUntilTests {
    /// Runs the first piece of work at once and keeps the others.
    private final class OneStep: Scheduler {
        private let kept = Lock<(hasRun: Bool, work: [@Sendable () -> Void])>((false, []))

        func schedule(_ work: @escaping @Sendable () -> Void) {
            let runsNow = kept.withLock { kept -> Bool in
                defer { kept.hasRun = true }
                if kept.hasRun { kept.work.append(work) }
                return !kept.hasRun
            }
            if runsNow { work() }
        }

        func runRest() {
            let rest = kept.withLock { kept in
                defer { kept.work = [] }
                return kept.work
            }
            for work in rest { work() }
        }

        var isCurrent: Bool { false }
    }

    @Test("the completion is heard even if it comes only after the subscription was made")
    func lateCompletion() {
        let scheduler = OneStep()
        let trigger = Signals.just(()).deliver(on: scheduler)
        let recorder = Recorder(Subject(of: Int.self).take(until: trigger))
        #expect(recorder.events.isEmpty)
        scheduler.runRest()
        #expect(recorder.events == [.completed])
    }
}
