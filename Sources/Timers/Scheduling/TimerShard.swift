import Bus

/// One of the wheels of a driver: each thread schedules in the one its number falls to, so that threads seldom wait for
/// each other. (One lock for all cost two busy threads 770 ns for scheduling and cancelling instead of 80.)
final class TimerShard: Sendable {
    private struct State: ~Copyable {
        var wheel: TimerWheel<TimerWork>
    }

    private let number: Int32
    private let state: Lock<State>

    /// - Parameter number: below eight.
    init(number: Int, startingAt start: Int64) {
        self.number = Int32(truncatingIfNeeded: number)
        state = Lock(State(wheel: TimerWheel(startingAt: start)))
    }

    /// The number of the shard that made a token, or of none when it is somebody else's.
    @inline(__always)
    static func number(of token: TimerToken) -> Int {
        Int(token.index &>> TimerToken.indexBits)
    }

    var count: Int { state.withLock { $0.wheel.count } }

    var nextDeadline: Int64? { state.withLock { $0.wheel.nextDeadline } }

    /// - Returns: the token, and when to wake up for it unless that is not before what `armed` says once it is stored.
    func schedule(
        at deadline: Int64,
        _ work: TimerWork,
        armed: () -> Int64
    ) -> (token: TimerToken, wake: Int64?) {
        state.withLock { state in
            let token = state.wheel.schedule(at: deadline, work)
            let wake = deadline < armed() ? state.wheel.nextDeadline : nil
            return (TimerToken(index: token.index | number &<< TimerToken.indexBits, identity: token.identity), wake)
        }
    }

    func cancel(_ token: TimerToken) -> (work: TimerWork?, hasShrunk: Bool) {
        state.withLock { state in
            (state.wheel.cancel(local(token)), state.wheel.takeHasShrunk())
        }
    }

    func reschedule(_ token: TimerToken, to deadline: Int64, armed: () -> Int64) -> (isScheduled: Bool, wake: Int64?) {
        state.withLock { state in
            guard state.wheel.reschedule(local(token), to: deadline) else { return (false, nil) }
            return (true, deadline < armed() ? state.wheel.nextDeadline : nil)
        }
    }

    func nextExpired(at time: Int64) -> TimerWheel<TimerWork>.Due? {
        state.withLock { $0.wheel.nextExpired(at: time) }
    }

    func take(_ due: TimerWheel<TimerWork>.Due) -> TimerWork? {
        state.withLock { $0.wheel.take(due) }
    }

    @inline(__always)
    private func local(_ token: TimerToken) -> TimerToken {
        TimerToken(index: token.index & (1 &<< TimerToken.indexBits &- 1), identity: token.identity)
    }
}
