import Bus
import TestSupport
import Testing
@testable import Timers

@Suite("The states of operators that wait, step by step")
struct WaitingStateTests {
    private static let rounds = Stress.rounds(1_000, stress: 10_000)

    @Test("a debounce passes exactly the values that were followed by silence, in random bursts")
    func debounceModel() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<Self.rounds {
            let interval = Int64.random(in: 1...6, using: &random)
            let arrivals = (0..<Int.random(in: 0...12, using: &random)).reduce(into: [Int64]()) { times, _ in
                times.append((times.last ?? 0) + Int64.random(in: 0...8, using: &random))
            }
            var state = Debouncing<Int>(interval: interval, edge: .trailing, maxWait: .max, atCompletion: .flush)
            let passed = play(&state, arrivals, timerIsLate: Bool.random(using: &random))
            let expected: [Int] = arrivals.indices.filter { (index: Int) -> Bool in
                index == arrivals.count - 1 || arrivals[index + 1] - arrivals[index] >= interval
            }
            guard passed.map({ $0.value }) == expected else {
                Issue.record("\(interval) after \(arrivals): \(passed) instead of \(expected)")
                return
            }
        }
    }

    @Test("a debounce with maxWait holds nothing back for longer")
    func debounceMaxWait() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<Self.rounds {
            let arrivals = (1...30).reduce(into: [Int64]()) { times, _ in
                times.append((times.last ?? 0) + Int64.random(in: 0...3, using: &random))
            }
            var state = Debouncing<Int>(interval: 4, edge: .trailing, maxWait: 10, atCompletion: .flush)
            let passed = play(&state, arrivals, timerIsLate: false)
            var before = -1
            for pass in passed {
                let waited = pass.time - arrivals[before + 1]
                guard waited <= 10, pass.value > before else {
                    Issue.record("\(arrivals): \(passed)")
                    return
                }
                before = pass.value
            }
            guard before == arrivals.count - 1 else {
                Issue.record("the last of \(arrivals) is missing: \(passed)")
                return
            }
        }
    }

    @Test(
        "a throttle never sends two values closer than its duration, and always the newest",
        arguments: [ThrottleEdges.leading, .trailing, .both]
    )
    func throttleModel(edges: ThrottleEdges) {
        var random = SeededRandom(seed: 13)
        for _ in 0..<Self.rounds {
            let interval = Int64.random(in: 1...6, using: &random)
            let arrivals = (0..<Int.random(in: 1...12, using: &random)).reduce(into: [Int64]()) { times, _ in
                times.append((times.last ?? 0) + Int64.random(in: 0...5, using: &random))
            }
            var state = Throttling<Int>(interval: interval, edges: edges, choice: .latest, atCompletion: .wait)
            let passed = play(&state, arrivals, timerIsLate: Bool.random(using: &random))
            let distances = zip(passed.dropFirst(), passed).map { $0.time - $1.time }
            let isApart = distances.allSatisfy { $0 >= interval }
            let isNewest = passed.allSatisfy { pass in
                let came = arrivals[pass.value]
                // No other value came after it and before it was sent, except values that found it overdue.
                return !arrivals.contains { $0 > came && $0 < pass.time && $0 < came + interval }
            }
            // Without a trailing edge these are the values that arrive while no window is open.
            var leading: [Int] = []
            for (index, time) in arrivals.enumerated()
            where leading.last.map({ time - arrivals[$0] >= interval }) ?? true {
                leading.append(index)
            }
            let isComplete =
                edges == .leading ? passed.map(\.value) == leading : passed.last?.value == arrivals.count - 1
            guard isApart, isNewest || edges == .leading, isComplete else {
                Issue.record("\(interval) after \(arrivals): \(passed)")
                return
            }
        }
    }

    @Test("a sample is sent on the beat, once for each tick, and none is repeated")
    func sampling() {
        var state = Sampling<Int>(period: 100_000, atCompletion: .flush)
        state.start(at: 7)
        #expect(state.deadline == .max)
        #expect(state.next(1, at: 20_000) == nil)
        #expect(state.deadline == 100_007)
        #expect(state.next(2, at: 100_007) == nil)
        #expect(state.due(at: 100_007) == 2)
        #expect(state.deadline == .max)
        #expect(state.next(3, at: 100_007) == nil)
        #expect(state.deadline == 200_007, "the tick at this instant has been")
        #expect(state.next(4, at: 450_000) == 3, "what was due comes first")
        #expect(state.deadline == 500_007)
        #expect(state.flush() == 4)
        #expect(state.flush() == nil)
    }

    @Test("a bucket never passes more than its burst and what it gained, at any rate")
    func bucketModel() {
        var random = SeededRandom(seed: 14)
        for _ in 0..<Stress.rounds(200, stress: 2000) {
            let count = Int.random(in: 1...5, using: &random)
            let duration = Int64.random(in: 0...50, using: &random)
            let capacity = Int.random(in: 1...6, using: &random)
            var bucket = TokenBucket(count: count, per: duration, capacity: capacity, name: "")
            var now = Int64.random(in: -1000...1000, using: &random)
            var sent: [Int64] = []
            for _ in 0..<100 {
                now += Int64.random(in: 0...20, using: &random)
                let due = bucket.due(arrival: now, at: now)
                guard due >= now else {
                    Issue.record("due in the past")
                    return
                }
                now = due
                bucket.sent(at: now)
                sent.append(now)
            }
            // For any interval, the rate and the burst allowed the number of values sent.
            let isKept = sent.indices.allSatisfy { first in
                sent.indices[first...].allSatisfy { last in
                    let gained = bucket.interval == 0 ? .max : (sent[last] - sent[first]) / bucket.interval
                    return bucket.interval == 0 || Int64(last - first + 1) <= Int64(capacity) + gained
                }
            }
            guard isKept else {
                Issue.record("\(count) per \(duration), burst \(capacity): \(sent)")
                return
            }
        }
    }

    @Test("a queue loses the oldest or the newest in their place, and nothing after its end")
    func queue() {
        var oldest = PacedQueue<Int, Never, DelayPace>(DelayPace(duration: 10), limit: 2, overflow: .dropOldest)
        for value in 1...3 { _ = oldest.append(value, at: 0) }
        _ = oldest.lost(4, at: 0)
        for value in 4...5 { _ = oldest.append(value, at: 0) }
        _ = oldest.end(.completed, at: 1)
        _ = oldest.append(6, at: 1)
        #expect(taken(&oldest, at: 9) == [])
        #expect(taken(&oldest, at: 10) == ["lost 7", "4", "5"])
        #expect(taken(&oldest, at: 11) == ["end"])
        #expect(taken(&oldest, at: 100) == [])
    }

    @Test("a queue is full at its limit, calls back when half of it is delivered, and only then")
    func linePauses() {
        var queue = PacedQueue<Int, Never, DelayPace>(DelayPace(duration: 10), limit: 5, overflow: .pause)
        for value in 1...4 {
            guard case .queued = queue.append(value, at: 0) else {
                Issue.record("\(value) found it full")
                return
            }
        }
        #expect(!queue.isFull)
        for value in 5...6 {
            guard case .full = queue.append(value, at: 0) else {
                Issue.record("\(value) found room")
                return
            }
        }
        #expect(queue.isFull)
        queue.resume = {}
        for _ in 1...2 {
            _ = queue.take(at: 10)
            #expect(queue.takeResume() == nil)
        }
        #expect(!queue.isFull)
        #expect(queue.isCrowded)
        _ = queue.take(at: 10)
        #expect(queue.takeResume() != nil)
        #expect(queue.takeResume() == nil)
        #expect(taken(&queue, at: 10) == ["4", "5", "lost 1"])
    }

    @Test("a queue that may not deliver keeps its values, and reports losses and the end")
    func lineIsHeldUp() {
        var queue = PacedQueue<Int, Never, DelayPace>(DelayPace(duration: 10), limit: 5, overflow: .pause)
        _ = queue.lost(2, at: 0)
        _ = queue.append(1, at: 0)
        _ = queue.end(.completed, at: 0)
        guard case .now(.lost(2)) = queue.take(at: 10, isReady: false) else {
            Issue.record("the loss waits for room")
            return
        }
        guard case .heldUp = queue.take(at: 10, isReady: false) else {
            Issue.record("the value does not")
            return
        }
        #expect(taken(&queue, at: 10) == ["1", "end"])
    }

    @Test("extreme instants do not overflow")
    func extremes() {
        for now: Int64 in [.min, -1, 0, 1, Int64.max - 1] {
            for interval: Int64 in [.min, -1, 0, 1, .max] {
                var debounce = Debouncing<Int>(
                    interval: interval,
                    edge: .trailing,
                    maxWait: interval,
                    atCompletion: .flush
                )
                var leading = Debouncing<Int>(
                    interval: interval,
                    edge: .leading,
                    maxWait: interval,
                    atCompletion: .flush
                )
                var throttle = Throttling<Int>(interval: interval, edges: .both, choice: .latest, atCompletion: .wait)
                var sample = Sampling<Int>(period: interval, atCompletion: .flush)
                var collect = CollectStep<Int>(interval: interval, limit: 3)
                var bucket = TokenBucket(count: 2, per: interval, capacity: 2, name: "")
                var watch = SilenceReports(interval: interval, heard: now)
                sample.start(at: now)
                for instant: Int64 in [now, .min, 0, Int64.max - 1] {
                    debounce.hold(1, at: instant)
                    leading.hold(1, at: instant)
                    throttle.hold(1, at: instant)
                    sample.hold(1, at: instant)
                    _ = debounce.next(1, at: instant)
                    _ = leading.next(1, at: instant)
                    _ = throttle.next(1, at: instant)
                    _ = sample.next(1, at: instant)
                    _ = collect.next(1, at: instant)
                    _ = bucket.due(arrival: instant, at: instant)
                    bucket.sent(at: max(instant, bucket.due(arrival: instant, at: instant)))
                    _ = watch.check(heard: now, at: instant)
                    _ = watch.deadline
                }
                for missed in [MissedTicks.skip, .catchUp(atMost: .max), .delay] {
                    var schedule = IntervalSchedule(
                        start: TimerInstant(nanoseconds: now),
                        period: .nanoseconds(interval),
                        first: .immediately,
                        missed: missed
                    )
                    for instant in [now, 0, Int64.max - 1, .max] {
                        schedule.resume(at: TimerInstant(nanoseconds: instant))
                        _ = schedule.tick(at: TimerInstant(nanoseconds: instant))
                    }
                }
                _ = TickGrid(origin: now, period: interval).tick(notBefore: .max)
                _ = TickGrid(origin: now, period: interval).tick(notBefore: .min)
            }
        }
    }

    // MARK: Playing

    struct Pass: CustomStringConvertible {
        let value: Int
        let time: Int64
        var description: String { "\(value)@\(time)" }
    }

    /// Sends the numbers of the arrivals at their times. Returns which passed and when. A late timer fires only at the
    /// end.
    private func play<State: HoldingState>(
        _ state: inout State,
        _ arrivals: [Int64],
        timerIsLate: Bool
    ) -> [Pass] where State.Input == Int, State.Output == Int {
        var passed: [Pass] = []
        for (index, time) in arrivals.enumerated() {
            while !timerIsLate, state.deadline < time {
                let due = state.deadline
                if let value = state.due(at: due) { passed.append(Pass(value: value, time: due)) }
            }
            if let value = state.next(index, at: time) { passed.append(Pass(value: value, time: time)) }
        }
        while state.deadline < .max {
            let due = max(state.deadline, arrivals.last ?? 0)
            if let value = state.due(at: due) { passed.append(Pass(value: value, time: due)) }
        }
        return passed
    }

    private func taken<Pacing: Pace>(_ queue: inout PacedQueue<Int, Never, Pacing>, at now: Int64) -> [String] {
        var taken: [String] = []
        while case .now(let event) = queue.take(at: now) {
            switch event {
            case .next(let value): taken.append("\(value)")
            case .lost(let count): taken.append("lost \(count)")
            case .end, .overflow: taken.append("end")
            }
        }
        return taken
    }
}
