extension JobMachine {
    /// The state that a job has only while it is stepped, asks for something, has runs or retries, or stops. Stored apart, because
    /// most jobs only wait for their time.
    struct Activity: Sendable {
        /// Of the present step, with what follows from it.
        var now = Moment(wall: .distantPast, boot: .distantPast)
        var actions: [Action] = []
        var stopEndsAt = TimerInstant.distantFuture
        var held: Held?
        var lost: JobGrant?
        var leaseRequest: Request?
        var pollAt = TimerInstant.distantPast
        var storeRequest: Request?
        var decision: Decision?
        var storeRetryAt = TimerInstant.distantPast
        var storeFailures = 0
        var storeFault: String?
        var active: [Active] = []
        var endings: [UInt64: Ending] = [:]
        var retryAt: [JobRecord.Entry.Key: TimerInstant] = [:]
        var refreshAt = TimerInstant.distantFuture

        static let none = Activity()

        /// Whether it is as at first, but for the step and for instants that have passed.
        var isNone: Bool {
            stopEndsAt == .distantFuture && held == nil && lost == nil && leaseRequest == nil && pollAt <= now.boot
                && storeRequest == nil && decision == nil && storeRetryAt <= now.boot && storeFailures == 0
                && storeFault == nil && active.isEmpty && endings.isEmpty && retryAt.isEmpty
                && refreshAt == .distantFuture
        }
    }

    // Changed only by the machine that alone refers to it.
    final class StoredActivity: @unchecked Sendable {
        var activity: Activity

        init(_ activity: Activity) { self.activity = activity }
    }

    private var activity: Activity {
        _read {
            if let stored { yield stored.activity } else { yield Activity.none }
        }
        _modify {
            if stored == nil || !isKnownUniquelyReferenced(&stored) {
                stored = StoredActivity(stored?.activity ?? .none)
            }
            // It was set above.
            yield &stored.unsafelyUnwrapped.activity
        }
    }

    /// Ends a step.
    mutating func releaseActivity() { if activity.isNone { stored = nil } else { actions = [] } }

    var now: Moment {
        get { activity.now }
        set { activity.now = newValue }
    }

    var actions: [Action] {
        get { activity.actions }
        _modify { yield &activity.actions }
    }

    var stopEndsAt: TimerInstant {
        get { activity.stopEndsAt }
        set { activity.stopEndsAt = newValue }
    }

    /// The lease.
    var held: Held? {
        get { activity.held }
        set { activity.held = newValue }
    }

    /// A lease that has run out, until its runs have returned.
    var lost: JobGrant? {
        get { activity.lost }
        set { activity.lost = newValue }
    }

    var leaseRequest: Request? {
        get { activity.leaseRequest }
        set { activity.leaseRequest = newValue }
    }

    /// When to ask for the lease again.
    var pollAt: TimerInstant {
        get { activity.pollAt }
        set { activity.pollAt = newValue }
    }

    var storeRequest: Request? {
        get { activity.storeRequest }
        set { activity.storeRequest = newValue }
    }

    /// On its way to the store, or perhaps there.
    var decision: Decision? {
        get { activity.decision }
        set { activity.decision = newValue }
    }

    var storeRetryAt: TimerInstant {
        get { activity.storeRetryAt }
        set { activity.storeRetryAt = newValue }
    }

    var storeFailures: Int {
        get { activity.storeFailures }
        set { activity.storeFailures = newValue }
    }

    var storeFault: String? {
        get { activity.storeFault }
        set { activity.storeFault = newValue }
    }

    /// When to see what other instances have changed, for one-shots.
    var refreshAt: TimerInstant {
        get { activity.refreshAt }
        set { activity.refreshAt = newValue }
    }

    /// Runs that have begun here and have not returned.
    var active: [Active] {
        get { activity.active }
        set { activity.active = newValue }
    }

    var endings: [UInt64: Ending] {
        get { activity.endings }
        set { activity.endings = newValue }
    }

    /// When runs that failed here are tried again.
    var retryAt: [JobRecord.Entry.Key: TimerInstant] {
        get { activity.retryAt }
        set { activity.retryAt = newValue }
    }
}
