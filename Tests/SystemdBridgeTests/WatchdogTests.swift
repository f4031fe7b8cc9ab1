import Bus
import BusTesting
import SystemdBridge
import TestSupport
import Testing
import Timers

@Suite("The service watchdog")
struct ServiceWatchdogTests {
    let receiver: DatagramReceiver
    let manager: ServiceManager
    let time = TestScheduler()
    let reports = Heard<WatchdogReport>()

    init() throws {
        receiver = try DatagramReceiver()
        manager = ServiceManager(socket: receiver.name, watchdogInterval: .seconds(4))
    }

    private func texts() throws -> [String] { try receiver.receiveAll().map(\.text) }

    @Test("It pings at once and then after half the interval")
    func pings() throws {
        let subscription = manager.watchdog(gatedOn: [], on: time).subscribe(next: reports.append)
        time.advance(by: .milliseconds(1))
        #expect(try texts() == ["WATCHDOG=1\n"])
        time.advance(by: .milliseconds(1998))
        #expect(try texts() == [])
        time.advance(by: .milliseconds(1))
        #expect(try texts() == ["WATCHDOG=1\n"])
        for _ in 0..<4 { time.advance(by: .seconds(2)) }
        #expect(try texts() == Array(repeating: "WATCHDOG=1\n", count: 4))
        #expect(reports.values == Array(repeating: .pinged, count: 6))
        subscription.dispose()
        time.advance(by: .seconds(20))
        #expect(try texts() == [])
        #expect(time.pendingCount == 0)
    }

    @Test("One stalled health signal stops the ping, and the ping resumes when it recovers")
    func gate() throws {
        let (main, pool) = (Subject(of: Int.self), Subject(of: Int.self))
        let health = [
            HealthSignal("main", main, within: .seconds(1)), HealthSignal("pool", pool, within: .seconds(3)),
        ]
        let subscription = manager.watchdog(gatedOn: health, on: time).subscribe(next: reports.append)
        time.advance(by: .milliseconds(1))
        for _ in 0..<4 {
            main.send(1)
            pool.send(1)
            time.advance(by: .milliseconds(500))
        }
        #expect(try texts().count == 2)
        // The pool continues while the main thread hangs.
        for _ in 0..<4 {
            pool.send(1)
            time.advance(by: .seconds(1))
        }
        #expect(try texts() == [])
        guard case .withheld(let stalled)? = reports.values.last else {
            Issue.record("\(reports.values)")
            return
        }
        #expect(stalled.map(\.name) == ["main"])
        #expect("\(try #require(stalled.first))".hasPrefix("main has said nothing for "))
        main.send(1)
        time.advance(by: .seconds(1))
        #expect(try texts() == ["WATCHDOG=1\n"])
        #expect(reports.values.last == .pinged)
        subscription.dispose()
    }

    @Test("A health signal that fails counts as unhealthy, whatever its period")
    func failing() throws {
        let health = HealthSignal("disk", Signals.fail("no disk" as TestFailure, of: Int.self), within: .seconds(1000))
        let subscription = manager.watchdog(gatedOn: [health], on: time).subscribe(next: reports.append)
        time.advance(by: .seconds(2))
        #expect(try texts() == [])
        guard case .withheld(let stalled)? = reports.values.first else {
            Issue.record("\(reports.values)")
            return
        }
        #expect(stalled.first?.failure?.contains("no disk") == true)
        subscription.dispose()
    }

    @Test("On request the manager is notified at once, and once for each stall")
    func trigger() throws {
        let main = Subject(of: Int.self)
        let health = [HealthSignal("main", main, within: .seconds(1))]
        let subscription = manager.watchdog(gatedOn: health, whenStalled: .trigger, on: time)
            .subscribe(next: reports.append)
        time.advance(by: .seconds(10))
        #expect(try texts() == ["WATCHDOG=1\n", "WATCHDOG=trigger\n"])
        main.send(1)
        time.advance(by: .seconds(1))
        #expect(try texts() == ["WATCHDOG=1\n"])
        time.advance(by: .seconds(2))
        #expect(try texts() == ["WATCHDOG=trigger\n"])
        subscription.dispose()
    }

    @Test("A ping that finds no socket is reported and soon tried again")
    func unsent() throws {
        receiver.remove()
        let subscription = manager.watchdog(gatedOn: [], on: time).subscribe(next: reports.append)
        time.advance(by: .milliseconds(1))
        guard case .unsent(let error)? = reports.values.first else {
            Issue.record("\(reports.values)")
            return
        }
        #expect("\(error)".contains(receiver.name))
        try receiver.listen()
        time.advance(by: .seconds(1))
        #expect(try texts() == ["WATCHDOG=1\n"])
        subscription.dispose()
    }

    @Test("Where no pings are expected it completes at once")
    func unexpected() {
        for manager in [ServiceManager(socket: nil, watchdogInterval: .seconds(1)), ServiceManager(socket: "/x")] {
            let ends = Heard<String>()
            _ = manager.watchdog(gatedOn: [], on: time).subscribe(completed: { ends.append("completed") })
            #expect(ends.values == ["completed"])
            #expect(time.pendingCount == 0)
        }
    }

    @Test("Ended inside its callback, or by an observer that has enough, it releases its health signals")
    func ending() throws {
        let health = ProbeSource(of: Int.self, failure: Never.self)
        let signal = manager.watchdog(gatedOn: [HealthSignal("a", health, within: .seconds(1))], on: time)
        let handle = SerialDisposable()
        handle.set(signal.subscribe(next: { _ in handle.dispose() }))
        #expect(health.liveSubscriptions == 1)
        time.advance(by: .milliseconds(1))
        #expect(health.liveSubscriptions == 0)
        let log = Heard<String>()
        _ = signal.take(first: 1).subscribe(
            next: { _ in log.append("next") },
            completed: { log.append("completed with \(health.liveSubscriptions) left") }
        )
        time.advance(by: .milliseconds(1))
        #expect(log.values == ["next", "completed with 0 left"])
        #expect(time.pendingCount == 0)
    }

    @Test("A listener that pauses delays no ping, and hears the newest reports")
    func pausedListener() throws {
        let other = TestScheduler()
        let recorder = Recorder(manager.watchdog(gatedOn: [], on: time).deliver(on: other, limit: 1))
        time.advance(by: .milliseconds(1))
        #expect(try texts() == ["WATCHDOG=1\n"])
        for _ in 0..<29 {
            time.advance(by: .seconds(2))
            #expect(try texts() == ["WATCHDOG=1\n"])
        }
        other.advance(by: .milliseconds(1))
        // One in the queue, and those that waited after it.
        #expect(recorder.valueCount == 17 && recorder.lost == 13)
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("Several watchdogs may run at once")
    func several() throws {
        let subscriptions = (0..<3).map { _ in manager.watchdog(gatedOn: [], on: time).subscribe() }
        time.advance(by: .milliseconds(1))
        #expect(try texts().count == 3)
        for subscription in subscriptions { subscription.dispose() }
        #expect(time.pendingCount == 0)
    }
}
