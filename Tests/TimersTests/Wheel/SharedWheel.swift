import Timers

/// A wheel in a class, because `#expect` cannot examine a value that is not copyable.
final class SharedWheel<Payload> {
    private var wheel: TimerWheel<Payload>

    init(startingAt start: Int64, resolutionBits: Int = 14) {
        wheel = TimerWheel(startingAt: start, resolutionBits: resolutionBits)
    }

    var count: Int { wheel.count }
    var capacity: Int { wheel.capacity }
    var nextDeadline: Int64? { wheel.nextDeadline }

    func isAhead(of time: Int64) -> Bool { wheel.isAhead(of: time) }
    func rewind(to time: Int64) { wheel.rewind(to: time) }
    func contains(_ token: TimerToken) -> Bool { wheel.contains(token) }
    func schedule(at deadline: Int64, _ payload: Payload) -> TimerToken { wheel.schedule(at: deadline, payload) }
    func cancel(_ token: TimerToken) -> Payload? { wheel.cancel(token) }
    func reschedule(_ token: TimerToken, to deadline: Int64) -> Bool { wheel.reschedule(token, to: deadline) }
    func popExpired(at time: Int64) -> TimerWheel<Payload>.Expired? { wheel.popExpired(at: time) }

    /// The payloads of all due timers.
    func drain(at time: Int64) -> [Payload] {
        var payloads: [Payload] = []
        while let timer = wheel.popExpired(at: time) { payloads.append(timer.payload) }
        return payloads
    }
}
