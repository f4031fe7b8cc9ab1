import Bus

/// One of the wheels of a driver: each thread schedules in the one its number falls to, so that threads seldom wait for
/// each other. (One lock for all cost two busy threads 770 ns for scheduling and cancelling instead of 80.)
struct TimerShard: ~Copyable, Sendable {
    private let number: Int32
    private let wheel: Lock<TimerWheel<TimerWork>>

    /// - Parameter number: below eight.
    init(number: Int, startingAt start: Int64) {
        self.number = Int32(truncatingIfNeeded: number)
        wheel = Lock(TimerWheel(startingAt: start))
    }

    /// The number of the shard that made a token; nil when none did.
    @inline(__always)
    static func number(of token: TimerToken) -> Int? {
        // Three bits are left when the sign is not set.
        token.index < 0 ? nil : Int(token.index &>> TimerToken.indexBits)
    }

    var count: Int { wheel.withLock { $0.count } }

    var nextDeadline: Int64? { wheel.withLock { $0.nextDeadline } }

    /// - Returns: the token, and when to wake up for it unless that is not before what `armed` says once it is stored.
    func schedule(
        at deadline: Int64,
        _ work: TimerWork,
        armed: () -> Int64
    ) -> (token: TimerToken, wake: Int64?) {
        wheel.withLock { wheel in
            let token = wheel.schedule(at: deadline, work)
            let wake = deadline < armed() ? wheel.nextDeadline : nil
            return (TimerToken(index: token.index | number &<< TimerToken.indexBits, identity: token.identity), wake)
        }
    }

    func cancel(_ token: TimerToken) -> (work: TimerWork?, hasShrunk: Bool) {
        wheel.withLock { wheel in
            (wheel.cancel(local(token)), wheel.takeHasShrunk())
        }
    }

    func reschedule(_ token: TimerToken, to deadline: Int64, armed: () -> Int64) -> (isScheduled: Bool, wake: Int64?) {
        wheel.withLock { wheel in
            guard wheel.reschedule(local(token), to: deadline) else { return (false, nil) }
            return (true, deadline < armed() ? wheel.nextDeadline : nil)
        }
    }

    func nextExpired(at time: Int64) -> TimerWheel<TimerWork>.Due? {
        wheel.withLock { $0.nextExpired(at: time) }
    }

    func take(_ due: TimerWheel<TimerWork>.Due) -> TimerWork? {
        wheel.withLock { $0.take(due) }
    }

    @inline(__always)
    private func local(_ token: TimerToken) -> TimerToken {
        TimerToken(index: token.index & (1 &<< TimerToken.indexBits &- 1), identity: token.identity)
    }
}
