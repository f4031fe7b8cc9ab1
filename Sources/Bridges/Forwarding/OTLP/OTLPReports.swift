import Bus
import Timers

/// Reports what a receiver refuses, at most once in ten seconds.
///
/// A report may become an entry of the journal that is forwarded, be refused, and be reported, without an end.
final class OTLPReports: Sendable {
    private struct State: Sendable {
        var last: TimerInstant?
        var untold = 0
    }

    private static let interval = Duration.seconds(10)

    private let note: @Sendable (String) -> Void
    private let scheduler: any TimedScheduler
    private let state = Lock(State())

    init(on scheduler: any TimedScheduler, _ note: @escaping @Sendable (String) -> Void) {
        self.scheduler = scheduler
        self.note = note
    }

    func report(_ text: String) {
        let now = scheduler.now
        let untold = state.withLock { state -> Int? in
            if let last = state.last, now - last < Self.interval {
                state.untold += 1
                return nil
            }
            defer { state = State(last: now) }
            return state.untold
        }
        guard let untold else { return }
        note(untold == 0 ? text : "\(text) (and \(untold) such answers since the last report)")
    }
}
