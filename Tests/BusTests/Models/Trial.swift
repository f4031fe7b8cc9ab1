import Bus
import BusTesting
import Timers

/// A chain, its inputs, and the actions on its subscription. It is run for real and by the model.
struct Trial: Sendable, CustomStringConvertible {
    var hot: [Script]
    var term: Term
    /// When the subscription is disposed of.
    var disposal: Int?
    /// After how many values the observer has enough.
    var stopAfter: Int?

    /// What is heard according to the model.
    func expected(fault: Term.Fault? = nil) -> [String] {
        let notes = term.model(hot, fault: fault).heard(.start.then(0))
        let wanted = stopAfter.map { count in notes.ended { index, _ in index == count - 1 } } ?? notes
        // The disposal is put on the scheduler after the hot sources.
        let end = disposal.map { Moment(path: [$0, 0, hot.count]) }
        return wanted.filter { note in end.map { note.moment < $0 } ?? true }
            .map { "\($0.event)@\($0.moment.time)" }
    }

    /// What is really heard, and violations that do not depend on the model.
    func run() -> (heard: [String], violations: [String]) {
        let world = World(hot)
        let signal = term.signal(world)
        let remaining = Lock(stopAfter ?? .max)
        let disposing = SerialDisposable()
        if let disposal {
            _ = world.time.schedule(at: TimerInstant(nanoseconds: Int64(disposal))) { disposing.dispose() }
        }
        weak var leaked: Recorder<Int, TestFailure>?
        let (heard, violations) = {
            let recorder = Recorder(signal, on: world.time) { _ in
                remaining.withLock { remaining in
                    remaining -= 1
                    return remaining == 0 ? .stop : .more
                }
            }
            leaked = recorder
            disposing.set(ActionDisposable { [weak recorder] in recorder?.dispose() })
            world.time.run(until: TimerInstant(nanoseconds: Self.horizon))
            recorder.dispose()
            let tardy = recorder.eventsAfterDisposal
            return (
                recorder.timeline.map { "\($0.event)@\($0.time.nanoseconds)" },
                recorder.violations + (tardy > 0 ? ["\(tardy) events came after disposal"] : [])
            )
        }()
        // The sources and the signal still exist; the chain must not.
        return withExtendedLifetime((world, signal)) {
            let held = world.liveSubscriptions
            return (
                heard,
                violations + (held > 0 ? ["\(held) sources are held after the end"] : [])
                    + (leaked != nil ? ["the chain outlived its end"] : [])
                    + (world.time.pendingCount > 0 ? ["\(world.time.pendingCount) timers are left"] : [])
            )
        }
    }

    /// Later than any chain can run.
    private static let horizon = Int64.max / 2

    var description: String {
        let sources = hot.enumerated().map { "    hot \($0): \($1)\n" }.joined()
        let ends =
            (disposal.map { "    disposed of at \($0)\n" } ?? "")
            + (stopAfter.map { "    stopped after \($0)\n" } ?? "")
        return "    \(term)\n\(sources)\(ends)"
    }
}
