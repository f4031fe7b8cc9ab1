import Bus
public import Timers

/// A lease of jobs in memory, which several instances of a job can share, with faults on demand.
///
/// A call with a fault throws the ``TestJobError``. A call with ``TestJobError/late(_:)`` throws `CancellationError` when its
/// task is cancelled before the answer. Every other call answers at once.
///
/// ```swift
/// import Bus
/// import BusTesting
/// import Timers
///
/// let time = TestScheduler()
/// let (store, lease) = (TestJobStore(on: time), TestJobLease(on: time))
/// let calendar = try CalendarSchedule("*:0 UTC")
/// let recorders = (0..<3).map { _ in
///     time.record(
///         Signals.job(
///             "report", at: calendar, store: store, lease: lease,
///             on: time.wall, timer: time.boot, executor: time.executor
///         ) { run in try await time.sleep(for: .seconds(60)) }
///     )
/// }
/// time.advance(by: .seconds(7260))
/// assert(recorders.map(\.values.count).reduce(0, +) == 4)
/// ```
public final class TestJobLease: JobLease {
    private struct Grant: Sendable {
        var number: UInt64
        var end: TimerInstant
    }

    private struct State: Sendable {
        var last: UInt64 = 0
        /// By the jobs' names.
        var grants: [String: Grant] = [:]
        var faults = TestJobFaults()
    }

    public let timeToLive: Duration
    private let state = Lock(State())
    private let time: TestScheduler

    /// - Parameters:
    ///   - timeToLive: how long a grant lasts that is not renewed.
    ///   - time: its boot clock measures that.
    public init(timeToLive: Duration = .seconds(15), on time: TestScheduler) {
        self.timeToLive = timeToLive
        self.time = time
    }

    /// Faults of the next calls, in their order; nil for a call without one.
    public func fail(_ faults: TestJobError?...) { state.withLock { $0.faults.add(faults) } }

    /// Takes a job's lease from whoever has it, as when the time to live has passed.
    public func expire(_ job: String) { state.withLock { $0.grants[job] = nil } }

    /// The number of the grant that a job's lease is held with.
    public func holder(of job: String) -> UInt64? {
        let now = time.boot.now
        return state.withLock { $0.grants[job].flatMap { $0.end > now ? $0.number : nil } }
    }

    public func acquire(_ job: String) async throws -> JobGrant? {
        try await time.answer(state.withLock { $0.faults.take() }) {
            let now = time.boot.now
            return state.withLock { state -> JobGrant? in
                if let grant = state.grants[job], grant.end > now { return nil }
                state.last += 1
                state.grants[job] = Grant(number: state.last, end: now.advanced(by: timeToLive))
                return JobGrant(number: state.last)
            }
        }
    }

    public func renew(_ grant: JobGrant, of job: String) async throws -> Bool {
        try await time.answer(state.withLock { $0.faults.take() }) {
            let now = time.boot.now
            return state.withLock { state in
                guard let held = state.grants[job], held.number == grant.number, held.end > now else { return false }
                state.grants[job]?.end = now.advanced(by: timeToLive)
                return true
            }
        }
    }

    public func release(_ grant: JobGrant, of job: String) async {
        state.withLock { state in
            if state.grants[job]?.number == grant.number { state.grants[job] = nil }
        }
    }
}
