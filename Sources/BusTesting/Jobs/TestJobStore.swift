import Bus
public import Timers

/// A store of jobs in memory, with faults on demand.
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
/// let store = TestJobStore(on: time)
/// let recorder = time.record(
///     Signals.job(
///         "report", at: try CalendarSchedule("*:0 UTC"), store: store,
///         on: time.wall, timer: time.boot, executor: time.executor
///     ) { run in try await time.sleep(for: .seconds(60)) }
/// )
/// time.advance(by: .seconds(7260))
/// assert(recorder.values.count == 4)
/// ```
public final class TestJobStore: JobStore {
    private struct State: Sendable {
        var records: [String: JobRecord] = [:]
        var faults = TestJobFaults()
    }

    private let state = Lock(State())
    private let time: TestScheduler

    /// - Parameter time: late answers come at its times.
    public init(on time: TestScheduler) { self.time = time }

    /// What is kept, by the jobs' names. It outlives the jobs: a job that is made anew with this store is the program
    /// after a restart.
    public var records: [String: JobRecord] {
        get { state.withLock { $0.records } }
        set { state.withLock { $0.records = newValue } }
    }

    /// Faults of the next calls, in their order; nil for a call without one.
    public func fail(_ faults: TestJobError?...) { state.withLock { $0.faults.add(faults) } }

    public func load(_ job: String) async throws -> JobRecord? {
        try await time.answer(state.withLock { $0.faults.take() }) { state.withLock { $0.records[job] } }
    }

    public func save(_ record: JobRecord, of job: String) async throws -> Bool {
        try await time.answer(state.withLock { $0.faults.take() }) {
            state.withLock { state in
                let stored = state.records[job]
                guard stored == record || record.follows(stored) else { return false }
                state.records[job] = record
                return true
            }
        }
    }
}

extension TestScheduler {
    /// What a call with a fault returns.
    func answer<Answer: Sendable>(_ fault: TestJobError?, _ call: () -> Answer) async throws -> Answer {
        if fault == .refused { throw TestJobError.refused }
        let answer = call()
        switch fault {
        case .late(let duration): try await boot.sleep(for: duration)
        case .lost: throw TestJobError.lost
        case .refused, nil: break
        }
        return answer
    }
}
