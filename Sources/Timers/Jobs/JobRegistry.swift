import Bus
import DequeModule

/// The jobs that this program runs: those that wait, too.
///
/// It hears the steps of a wall clock once for all jobs on it: a subscription would cost each job half as much memory again.
final class JobRegistry: Sendable {
    static let shared = JobRegistry()

    /// The jobs on one wall clock.
    private struct Clock {
        var jobs: [LiveJob] = []
        var steps: (any Disposable)?
    }

    /// Jobs that ask the same lease or store at first, and have not looked at their records yet. One that does not answer keeps no
    /// others waiting.
    private struct Starts {
        var underWay = 0
        var waiting: Deque<LiveJob> = []
    }

    private let clocks = Lock<[ObjectIdentifier: Clock]>([:])
    private let starts = Lock<[ObjectIdentifier: Starts]>([:])

    /// How many of them look at their records at first at a time.
    private static let maxStarts = 64

    private init() {}

    /// Adds a job, until ``remove(_:)``. It is told of the wall clock's steps.
    func add<Wall: WallTimedScheduler>(_ job: LiveJob, on wall: Wall) {
        // A scheduler that is a value cannot be recognized, so each of its jobs has a list of its own.
        let key = Wall.self is AnyObject.Type ? ObjectIdentifier(wall as AnyObject) : ObjectIdentifier(job)
        let isFirst = clocks.withLock { clocks in
            job.key = key
            job.index = clocks[key]?.jobs.count ?? 0
            clocks[key, default: Clock()].jobs.append(job)
            return job.index == 0
        }
        guard isFirst else { return }
        let steps = wall.steps.subscribe(next: { [self] _ in
            for job in clocks.withLock({ $0[key]?.jobs ?? [] }) { job.wake() }
        })
        let isKept = clocks.withLock { clocks in
            // All jobs may have left, and others may have come, while this subscribed.
            guard let clock = clocks[key], clock.steps == nil else { return false }
            clocks[key]?.steps = steps
            return true
        }
        if !isKept { steps.dispose() }
    }

    /// All of them, in no order.
    var jobs: [LiveJob] { clocks.withLock { clocks in clocks.values.flatMap(\.jobs) } }

    /// Has a job begin, at once or when enough of those before it have looked at their records: the requests of 100,000 jobs that
    /// start together would need as much memory as the jobs.
    ///
    /// - Parameter asked: the job's lease, or the store of one without.
    func start(_ job: LiveJob, with asked: AnyObject) {
        let begins = starts.withLock { starts in
            let key = ObjectIdentifier(asked)
            let begins = starts[key]?.underWay ?? 0 < Self.maxStarts
            if begins {
                starts[key, default: Starts()].underWay += 1
            } else {
                starts[key]?.waiting.append(job)
            }
            return begins
        }
        if begins { job.begin() }
    }

    /// A job that has begun has its first answers.
    func started(with asked: AnyObject) {
        let next = starts.withLock { starts -> LiveJob? in
            let key = ObjectIdentifier(asked)
            if let next = starts[key]?.waiting.popFirst() { return next }
            starts[key]?.underWay -= 1
            if starts[key]?.underWay == 0 { starts[key] = nil }
            return nil
        }
        next?.begin()
    }

    func remove(_ job: LiveJob) {
        let steps = clocks.withLock { clocks -> (any Disposable)? in
            guard let key = job.key.take(), let last = clocks[key]?.jobs.popLast() else { return nil }
            if last !== job {
                clocks[key]?.jobs[job.index] = last
                last.index = job.index
            }
            guard clocks[key]?.jobs.isEmpty == true else { return nil }
            return clocks.removeValue(forKey: key)?.steps
        }
        steps?.dispose()
    }
}

/// A job in the registry.
class LiveJob: @unchecked Sendable {
    // The place in the registry, guarded by its lock.
    fileprivate var key: ObjectIdentifier?
    fileprivate var index = 0

    /// Called once, soon after the start.
    func begin() {}

    /// A timer is due, or the wall clock was set.
    func wake() {}

    var status: JobStatus? { nil }

    /// Here, where nothing is generic, so that the closure needs no memory.
    final func setTimer(at deadline: TimerInstant, on scheduler: some TimedScheduler) -> TimerHandle {
        scheduler.schedule(at: deadline) { self.wake() }
    }
}
