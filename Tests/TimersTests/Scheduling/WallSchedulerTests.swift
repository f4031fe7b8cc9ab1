import Bus
import Loop
import TestSupport
import Testing
import Timers

@Suite("Timers on a wall clock that is set")
struct WallSchedulerTests {
    let thread = ThreadScheduler(name: "test-wall")
    let device = SimulatedTimer(startingAt: 1_000_000_000)
    let loop = EventLoop(name: "test-wall-loop")
    let log = Collected<String>()

    private func scheduler() throws -> WallScheduler {
        try WallScheduler(on: thread, device: device, clock: nil, loop: loop)
    }

    @Test("set forward: timers that this makes due run; the step is reported")
    func forward() throws {
        let wall = try scheduler()
        let (ran, told) = (Latch(), Latch())
        let steps = wall.steps.subscribe(next: { [log] step in
            log.add("\(step.distance)")
            told.open()
        })
        defer { steps.dispose() }
        _ = wall.schedule(at: TimerInstant(nanoseconds: 3_600_000_000_000)) { ran.open() }
        device.set(by: 7_200_000_000_000)
        ran.wait()
        told.wait()
        #expect(log.all == ["7200.0 seconds"])
    }

    @Test(
        "set back: a timer waits for its time, even one that was due but had not run",
        arguments: [false, true]
    )
    func back(isFoundDue: Bool) throws {
        let wall = try scheduler()
        let (first, second, third, told, blocked) = (Latch(), Latch(), Latch(), Latch(), Latch())
        let steps = wall.steps.subscribe(next: { [log] step in
            log.add("\(step.distance)")
            told.open()
        })
        defer { steps.dispose() }
        _ = wall.schedule(at: instant(5)) { first.open() }
        device.advance(by: 5_000_000_000)
        first.wait()
        let idle = Latch()
        wall.schedule { idle.open() }
        idle.wait()

        // Due at six, but the scheduler is busy until the clock shows three again.
        let isBusy = Latch()
        wall.schedule {
            isBusy.open()
            blocked.wait()
        }
        isBusy.wait()
        _ = wall.schedule(at: instant(6)) { [log, device] in
            log.add("six at \(device.now / 1_000_000_000)")
            second.open()
        }
        // The wheel has been at six, so for it four has already passed.
        device.advance(by: 1_000_000_000)
        if isFoundDue { try settleLoop() }
        device.set(by: -4_000_000_000)
        blocked.open()
        told.wait()
        _ = wall.schedule(at: instant(4)) { [log, device] in
            log.add("four at \(device.now / 1_000_000_000)")
            third.open()
        }
        let settled = Latch()
        wall.schedule { settled.open() }
        settled.wait()
        #expect(log.all == ["-4.0 seconds"])
        device.advance(by: 1_100_000_000)
        third.wait()
        #expect(log.all.last == "four at 4")
        device.advance(by: 2_000_000_000)
        second.wait()
        #expect(log.all == ["-4.0 seconds", "four at 4", "six at 6"])
        #expect(wall.count == 0)
    }

    @Test("set back by a timer: others that were due at the same time wait for it to come again")
    func backWhileTimersRun() throws {
        let wall = try scheduler()
        let (first, second) = (Latch(), Latch())
        _ = wall.schedule(at: instant(5)) { [device] in
            device.set(by: -4_000_000_000)
            first.open()
        }
        _ = wall.schedule(at: instant(5)) { [log, device] in
            log.add("five at \(device.now / 1_000_000_000)")
            second.open()
        }
        device.advance(by: 5_000_000_000)
        first.wait()
        settle(wall)
        #expect(log.all == [])
        device.advance(by: 3_500_000_000)
        second.wait()
        #expect(log.all == ["five at 5"])
    }

    @Test("a step is reported while nothing is scheduled")
    func idle() throws {
        let wall = try scheduler()
        let told = Latch()
        let steps = wall.steps.subscribe(next: { _ in told.open() })
        defer { steps.dispose() }
        device.set(by: -1)
        told.wait()
    }

    @Test("never early, never lost, through hundreds of steps in both directions")
    func random() throws {
        let wall = try scheduler()
        var random = SeededGenerator(3)
        let early = Lock(0)
        let ran = Lock(0)
        var scheduled = 0
        for _ in 0..<400 {
            for _ in 0..<10 {
                let deadline = wall.now.advanced(by: .milliseconds(Int.random(in: -100..<5000, using: &random)))
                scheduled += 1
                _ = wall.schedule(at: deadline) { [device] in
                    if device.now < deadline.nanoseconds { early.withLock { $0 += 1 } }
                    ran.withLock { $0 += 1 }
                }
            }
            if Bool.random(using: &random) {
                device.advance(by: .random(in: 0..<1_000_000_000, using: &random))
            } else {
                // Set only while nothing runs, so that the time read by a callback is known to be before or after the
                // step.
                settle(wall)
                let distance = Int64.random(in: -3_000_000_000..<3_000_000_000, using: &random)
                thread.schedule { [device] in device.set(by: distance) }
                settle(wall)
            }
        }
        let last = Latch()
        _ = wall.schedule(at: .init(nanoseconds: device.now + 20_000_000_000)) { last.open() }
        device.advance(by: 21_000_000_000)
        last.wait()
        #expect(early.withLock { $0 } == 0)
        #expect(ran.withLock { $0 } == scheduled)
        #expect(wall.count == 0)
    }

    private func settle(_ wall: WallScheduler) {
        let latch = Latch()
        wall.schedule { latch.open() }
        latch.wait()
    }

    /// Returns when the loop has made all calls for what was ready before. The first piece of work is done at the
    /// latest in the round that finds it ready, the second in a later round.
    private func settleLoop() throws {
        for _ in 0..<2 {
            let latch = Latch()
            try loop.perform { latch.open() }
            latch.wait()
        }
    }

    private func instant(_ seconds: Int64) -> TimerInstant { TimerInstant(nanoseconds: seconds * 1_000_000_000) }
}
