import Bus
import BusTesting
import Timers

/// A chain, its inputs, and what is done to its subscription: run for real, and thought through by the model.
struct Trial: Sendable, CustomStringConvertible {
    var hot: [Script]
    var term: Term
    /// When the subscription is disposed of.
    var disposal: Int?
    /// With how many values the observer has enough.
    var stopAfter: Int?

    /// What the model says is heard.
    func expected(fault: Term.Fault? = nil) -> [String] {
        let notes = term.model(hot, fault: fault).heard(.start.then(0))
        let wanted = stopAfter.map { count in notes.ended { index, _ in index == count - 1 } } ?? notes
        // The disposal is put on the scheduler after the hot sources.
        let end = disposal.map { Moment(path: [$0, 0, hot.count]) }
        return wanted.filter { note in end.map { note.moment < $0 } ?? true }
            .map { "\($0.event)@\($0.moment.time)" }
    }

    /// What is really heard, and what is wrong with it whatever the model says.
    func run() -> (heard: [String], violations: [String]) {
        let world = World(hot)
        if let disposal {
            let handle = Lock<Recorder<Int, TestFailure>?>(nil)
            _ = world.time.schedule(at: TimerInstant(nanoseconds: Int64(disposal))) {
                handle.withLock { $0 }?.dispose()
            }
            return run(world) { recorder in handle.withLock { $0 = recorder } }
        }
        return run(world) { _ in }
    }

    private func run(
        _ world: World,
        _ subscribed: (Recorder<Int, TestFailure>) -> Void
    ) -> (heard: [String], violations: [String]) {
        weak var canary: Canary?
        let (recorder, signal) = {
            let strong = Canary()
            canary = strong
            let remaining = Lock(stopAfter ?? .max)
            let signal = term.signal(world)
            let recorder = Recorder(signal, on: world.time) { _ in
                withExtendedLifetime(strong) {
                    remaining.withLock { remaining in
                        remaining -= 1
                        return remaining == 0 ? .stop : .more
                    }
                }
            }
            return (recorder, signal)
        }()
        subscribed(recorder)
        world.time.run(until: TimerInstant(nanoseconds: Self.horizon))
        let heard = recorder.timeline.map { "\($0.event)@\($0.time.nanoseconds)" }
        var violations = recorder.violations
        recorder.dispose()
        if recorder.eventsAfterDisposal > 0 { violations.append("it spoke after it was disposed of") }
        if world.liveSubscriptions > 0 {
            violations.append("\(world.liveSubscriptions) sources are held after the end")
        }
        _ = canary
        return withExtendedLifetime(signal) { (heard, violations) }
    }

    private final class Canary: Sendable {}

    /// Beyond what any chain takes.
    private static let horizon = Int64.max / 2

    var description: String {
        let sources = hot.enumerated().map { "    hot \($0): \($1)\n" }.joined()
        let ends =
            (disposal.map { "    disposed of at \($0)\n" } ?? "")
            + (stopAfter.map { "    stopped after \($0)\n" } ?? "")
        return "    \(term)\n\(sources)\(ends)"
    }
}
