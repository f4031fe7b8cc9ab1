import TestSupport
import Testing
import Timers

@Suite("Timer wheel")
struct TimerWheelTests {
    @Test("a timer is due at its deadline and not a nanosecond before", arguments: [Int64.min, -1, 0, 63, 1 << 40])
    func exactAtEveryDistance(start: Int64) {
        // Both sides of every level's boundary.
        let boundaries: [Int64] = (0..<62).map { 1 << $0 }
        for distance in boundaries.flatMap({ [$0 - 1, $0, $0 + 1] }) {
            let wheel = SharedWheel<Int>(startingAt: start, resolutionBits: 0)
            let deadline = start + distance
            _ = wheel.schedule(at: deadline, 1)
            #expect(wheel.nextDeadline == deadline)
            if distance > 0 { #expect(wheel.popExpired(at: deadline - 1) == nil) }
            #expect(wheel.nextDeadline == deadline)
            #expect(wheel.popExpired(at: deadline)?.payload == 1)
            #expect(wheel.nextDeadline == nil)
        }
    }

    @Test("a deadline is rounded up to the tick, and the wheel says when that is")
    func roundsUp() {
        let wheel = SharedWheel<Int>(startingAt: 0, resolutionBits: 14)
        _ = wheel.schedule(at: 1, 1)
        #expect(wheel.nextDeadline == 16384)
        #expect(wheel.popExpired(at: 16383) == nil)
        #expect(wheel.popExpired(at: 16384)?.payload == 1)
    }

    @Test("the earliest and the latest possible deadline", arguments: [0, 14, 32])
    func endsOfTheLine(resolutionBits: Int) {
        let wheel = SharedWheel<String>(startingAt: 0, resolutionBits: resolutionBits)
        _ = wheel.schedule(at: .max, "end")
        _ = wheel.schedule(at: .max - 1, "before the end")
        _ = wheel.schedule(at: .min, "beginning")
        #expect(wheel.popExpired(at: 0)?.payload == "beginning")
        #expect(wheel.popExpired(at: .max - 2) == nil)
        #expect(wheel.popExpired(at: .max)?.payload == "before the end")
        #expect(wheel.popExpired(at: .max)?.payload == "end")
        #expect(wheel.popExpired(at: .max) == nil)
        _ = wheel.schedule(at: .max, "again")
        #expect(wheel.popExpired(at: .max)?.payload == "again")
    }

    @Test("past deadlines are due at once, by deadline and then by order of scheduling")
    func passedDeadlines() {
        let wheel = SharedWheel<Int>(startingAt: 1000, resolutionBits: 0)
        for (payload, deadline) in [(1, 0), (2, -5), (3, 1000), (4, 0), (5, Int64.min)] {
            _ = wheel.schedule(at: deadline, payload)
        }
        #expect(wheel.nextDeadline == .min)
        #expect(wheel.drain(at: 1000) == [5, 2, 1, 4, 3])
    }

    @Test("a clock that goes back changes nothing")
    func backwards() {
        let wheel = SharedWheel<Int>(startingAt: 0, resolutionBits: 0)
        _ = wheel.schedule(at: 100, 1)
        _ = wheel.schedule(at: 300, 2)
        #expect(wheel.drain(at: 200) == [1])
        #expect(wheel.drain(at: 50).isEmpty)
        _ = wheel.schedule(at: 150, 3)
        #expect(wheel.drain(at: 50) == [3], "its time had come at 200 already")
        #expect(wheel.drain(at: 300) == [2])
    }

    @Test("a clock set back, and reported so, makes timers that were found due wait again", arguments: [0, 14])
    func rewinds(resolutionBits: Int) {
        let wheel = SharedWheel<Int>(startingAt: 0, resolutionBits: resolutionBits)
        let hour: Int64 = 3_600_000_000_000
        _ = wheel.schedule(at: hour, 1)
        _ = wheel.schedule(at: hour + 1_000_000, 2)
        _ = wheel.schedule(at: 3 * hour, 3)
        #expect(wheel.popExpired(at: 2 * hour)?.payload == 1)
        #expect(wheel.isAhead(of: hour / 2))
        // Before the wheel is told of it, this looks as if it were due.
        _ = wheel.schedule(at: hour - 1_000_000, 4)
        #expect(wheel.nextDeadline.map { $0 < hour } == true)
        wheel.rewind(to: hour / 2)
        #expect(!wheel.isAhead(of: hour / 2))
        #expect(wheel.drain(at: hour / 2).isEmpty)
        #expect(wheel.drain(at: hour - 1_000_001).isEmpty)
        #expect(wheel.drain(at: hour) == [4])
        #expect(wheel.drain(at: 2 * hour) == [2])
        #expect(wheel.drain(at: 3 * hour + 16384) == [3])
        #expect(wheel.count == 0)
        #expect(wheel.nextDeadline == nil)
    }

    @Test("a timer that is due can still be cancelled and postponed until it is taken")
    func dueTimersAreStillScheduled() {
        let wheel = SharedWheel<Int>(startingAt: 0, resolutionBits: 0)
        _ = wheel.schedule(at: 10, 1)
        let second = wheel.schedule(at: 10, 2)
        let third = wheel.schedule(at: 10, 3)
        _ = wheel.schedule(at: 10, 4)
        #expect(wheel.popExpired(at: 10)?.payload == 1)
        #expect(wheel.cancel(second) == 2)
        #expect(wheel.reschedule(third, to: 20))
        #expect(wheel.drain(at: 10) == [4])
        #expect(wheel.nextDeadline == 20)
        #expect(wheel.drain(at: 20) == [3])
    }

    @Test("of repeated postponements and advances of a timer the last one counts")
    func reschedules() {
        let wheel = SharedWheel<Int>(startingAt: 0, resolutionBits: 0)
        let token = wheel.schedule(at: 100, 1)
        for deadline in stride(from: Int64(200), through: 1_000_000, by: 777) {
            #expect(wheel.reschedule(token, to: deadline))
        }
        #expect(wheel.nextDeadline == 100, "a later deadline is only written down")
        #expect(wheel.popExpired(at: 500_000) == nil)
        #expect(wheel.reschedule(token, to: 500_001))
        #expect(wheel.nextDeadline == 500_001)
        #expect(wheel.popExpired(at: 500_000) == nil)
        #expect(wheel.popExpired(at: 500_001)?.payload == 1)
        #expect(!wheel.reschedule(token, to: 500_002))
    }

    @Test("a token never names the timer that replaced its own")
    func tokensAreNotReused() {
        let wheel = SharedWheel<Int>(startingAt: 0)
        var tokens: Set<TimerToken> = []
        for payload in 0..<Stress.rounds(5_000, stress: 100_000) {
            let token = wheel.schedule(at: 1, payload)
            #expect(tokens.insert(token).inserted)
            #expect(wheel.cancel(token) == payload)
            #expect(wheel.cancel(token) == nil)
        }
        #expect(wheel.cancel(TimerToken(index: -1, identity: 1)) == nil)
        #expect(wheel.cancel(TimerToken(index: .max, identity: 1)) == nil)
        #expect(wheel.cancel(TimerToken(index: 0, identity: 0)) == nil)
    }

    @Test("memory is freed with the timers, in whatever order they end")
    func memoryGoes() {
        let wheel = SharedWheel<Int>(startingAt: 0)
        var random = SeededGenerator(1)
        let most = Stress.rounds(50_000, stress: 200_000)
        var tokens = (0..<most).map { wheel.schedule(at: Int64($0) * 1_000_000, $0) }
        let full = wheel.capacity
        #expect(full >= most)
        tokens.shuffle(using: &random)
        for token in tokens.dropLast() { _ = wheel.cancel(token) }
        #expect(wheel.count == 1)
        // The size of one chunk.
        #expect(wheel.capacity <= 5000)
        #expect(wheel.cancel(tokens[tokens.count - 1]) != nil)
        // The entries of freed chunks are used again, and old tokens do not match them.
        let again = (0..<10_000).map { wheel.schedule(at: Int64($0), $0) }
        #expect(tokens.allSatisfy { !wheel.contains($0) })
        #expect(again.allSatisfy { wheel.contains($0) })
    }

    @Test("payloads are freed when they are cancelled, taken, or when the wheel is freed")
    func payloadsAreReleased() {
        final class Payload {}
        weak var cancelled: Payload?
        weak var taken: Payload?
        weak var left: Payload?
        func run() {
            let wheel = SharedWheel<Payload>(startingAt: 0)
            let token = { () -> TimerToken in
                let payload = Payload()
                cancelled = payload
                return wheel.schedule(at: 1 << 40, payload)
            }()
            do {
                let (due, never) = (Payload(), Payload())
                (taken, left) = (due, never)
                _ = wheel.schedule(at: 0, due)
                _ = wheel.schedule(at: 1 << 50, never)
            }
            #expect(cancelled != nil && taken != nil && left != nil)
            _ = wheel.cancel(token)
            #expect(cancelled == nil)
            _ = wheel.popExpired(at: 0)
            #expect(taken == nil)
            #expect(left != nil)
        }
        run()
        #expect(left == nil)
    }

    @Test("many timers of one tick arrive in order")
    func manyOfOneTick() {
        let wheel = SharedWheel<Int>(startingAt: 0, resolutionBits: 32)
        var random = SeededGenerator(7)
        let deadlines = (0..<Stress.rounds(10_000, stress: 100_000)).map { _ in
            Int64.random(in: 1...(1 << 32), using: &random)
        }
        for (payload, deadline) in deadlines.enumerated() { _ = wheel.schedule(at: deadline, payload) }
        let expected = deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) }
        #expect(wheel.drain(at: 1 << 33) == expected)
    }
}
