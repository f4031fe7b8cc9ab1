import TestSupport
import Testing
import Timers

/// The wheel compared with a sorted list, through random operations.
@Suite("Timer wheel against a sorted list")
struct TimerWheelModelTests {
    @Test(
        "random operations: never early, never lost, never more than a tick late, in order",
        arguments: [(0, 1), (0, 2), (1, 3), (6, 4), (14, 5), (14, 6), (14, 7), (32, 8)]
    )
    func agreesWithModel(resolutionBits: Int, seed: UInt64) {
        check(ModelRun(resolutionBits: resolutionBits, seed: seed))
    }

    @Test("the same on a clock that is sometimes set back", arguments: [(0, 11), (6, 12), (14, 13), (14, 14)])
    func agreesWithModelWhenSetBack(resolutionBits: Int, seed: UInt64) {
        check(ModelRun(resolutionBits: resolutionBits, seed: seed, isSetBack: true))
    }

    private func check(_ start: ModelRun) {
        var run = start
        let steps = Stress.rounds(10_000, stress: 125_000)
        for _ in 0..<steps {
            run.step()
            if run.failure != nil { break }
        }
        run.finish()
        #expect(run.failure == nil)
        #expect(run.expired > steps / 100)
        #expect(run.cancelled > steps / 100)
        #expect(run.rescheduled > steps / 100)
    }
}

/// One sequence of random operations on a wheel and its model. `failure` says where they first differed.
private struct ModelRun {
    private let wheel: SharedWheel<Int>
    private var model = SortedTimers()
    private var random: SeededGenerator
    private var now: Int64
    private var live: [(payload: Int, token: TimerToken)] = []
    private var stale: [TimerToken] = []
    private var nextPayload = 0
    private let tick: Int64
    private let isSetBack: Bool

    private(set) var failure: String?
    private(set) var expired = 0
    private(set) var cancelled = 0
    private(set) var rescheduled = 0

    init(resolutionBits: Int, seed: UInt64, isSetBack: Bool = false) {
        self.isSetBack = isSetBack
        random = SeededGenerator(seed)
        // The middle of the range, its beginning, and a place just before a boundary of the upper levels.
        let starts: [Int64] = [0, .min, (1 << 50) - 5, -(1 << 44) + 1]
        now = starts[Int(seed) % starts.count]
        tick = 1 << Int64(resolutionBits)
        wheel = SharedWheel(startingAt: now, resolutionBits: resolutionBits)
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40 where live.count < 400: schedule()
        case 40..<60: cancel()
        case 60..<85: reschedule()
        case 85..<88: useStaleToken()
        case 88..<90 where isSetBack: setBack()
        default: advance(to: later(than: now))
        }
        if wheel.count != model.count { fail("\(wheel.count) timers instead of \(model.count)") }
        checkNextDeadline()
    }

    /// All timers come due in the end, and the memory of the wheel is freed.
    mutating func finish() {
        advance(to: .max)
        if wheel.count != 0 || wheel.nextDeadline != nil { fail("\(wheel.count) timers never came") }
    }

    private mutating func schedule() {
        let deadline = deadline()
        nextPayload += 1
        live.append((nextPayload, wheel.schedule(at: deadline, nextPayload)))
        model.schedule(at: deadline, nextPayload)
    }

    private mutating func cancel() {
        guard let index = live.indices.randomElement(using: &random) else { return }
        let (payload, token) = live.remove(at: index)
        if wheel.cancel(token) != payload { fail("cancelling handed back another payload than \(payload)") }
        model.cancel(payload)
        stale.append(token)
        cancelled += 1
    }

    private mutating func reschedule() {
        guard let (payload, token) = live.randomElement(using: &random) else { return }
        let deadline = deadline()
        if wheel.reschedule(token, to: deadline) != model.reschedule(payload, to: deadline) {
            fail("\(payload) could not be rescheduled")
        }
        rescheduled += 1
    }

    private mutating func useStaleToken() {
        guard let token = stale.randomElement(using: &random) else { return }
        if wheel.cancel(token) != nil || wheel.reschedule(token, to: 0) || wheel.contains(token) {
            fail("a stale token still named a timer")
        }
    }

    private mutating func setBack() {
        now = now.subtractingSaturated(.random(in: 0...(1 << Int64.random(in: 0..<40, using: &random)), using: &random))
        if wheel.isAhead(of: now) { wheel.rewind(to: now) }
    }

    private mutating func advance(to time: Int64) {
        now = max(now, time)
        while let timer = wheel.popExpired(at: now) {
            guard model.count > 0 else { return fail("\(timer.payload) came though nothing is scheduled") }
            let expected = model.removeFirst()
            if timer.deadline > now { fail("\(timer.payload) is early") }
            if timer.payload != expected.payload || timer.deadline != expected.deadline {
                fail("\(timer.payload) for \(timer.deadline) came instead of \(expected)")
            }
            guard let index = live.firstIndex(where: { $0.payload == timer.payload }) else { return }
            stale.append(live.remove(at: index).token)
            expired += 1
        }
        if let earliest = model.earliest, earliest <= now.subtractingSaturated(tick - 1) || now == .max {
            fail("the timer for \(earliest) was due at \(now) and did not come")
        }
    }

    private mutating func checkNextDeadline() {
        switch (wheel.nextDeadline, model.earliest) {
        case (nil, nil): break
        case (nil, let earliest?): fail("no next deadline though there is \(earliest)")
        case (let next?, nil): fail("next deadline \(next) of nothing")
        case (let next?, let earliest?):
            if next > max(earliest, now).addingSaturated(tick - 1) { fail("next \(next) is later than \(earliest)") }
        }
    }

    /// Times of every magnitude, including past ones, at the boundaries of levels and at both ends of the range.
    private mutating func deadline() -> Int64 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .max
        case 1: return .min
        case 2: return 0
        case 3: return now
        case 4: return now.subtractingSaturated(.random(in: 0...(1 << 20), using: &random))
        case 5, 6:
            // Just before, at and after the beginning of a slot on any level.
            let bits = Int64.random(in: 0..<62, using: &random)
            let boundary = (now >> bits &+ 1) << bits
            return boundary.addingSaturated(.random(in: -1...1, using: &random))
        default: return later(than: now)
        }
    }

    private mutating func later(than time: Int64) -> Int64 {
        // Mostly short steps, so that a run does not reach the end of the range at once.
        let bits = Int64.random(in: 0..<(Int.random(in: 0..<200, using: &random) == 0 ? 52 : 34), using: &random)
        return time.addingSaturated(.random(in: 0...(1 << bits), using: &random))
    }

    private mutating func fail(_ reason: String) {
        if failure == nil { failure = "at \(now): \(reason)" }
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
