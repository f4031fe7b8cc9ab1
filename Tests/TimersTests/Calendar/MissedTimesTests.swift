import Bus
import BusTesting
import Foundation
import TestSupport
import Testing
@testable import Timers

@Suite("interval(calendar:missed:within:)")
struct MissedTimesTests {
    /// 2026-03-02, a Monday, 00:00 UTC.
    private static let midnight = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
    private static let minute = Duration.seconds(60)
    private static let hour = minute * 60

    private let time = TestScheduler(wallTime: midnight)
    private let ticks = Collected<Tick>()

    /// Each tick's time of day, and how many were missed before it.
    private var heard: [String] {
        ticks.all.map { tick in
            let minutes = (tick.scheduled.nanoseconds / 60_000_000_000) % 1440
            return String(format: "%02d:%02d", minutes / 60, minutes % 60) + (tick.missed > 0 ? " -\(tick.missed)" : "")
        }
    }

    @Test(
        "the documented time lines: hourly, stamped 01:00, subscribed 04:30",
        arguments: [
            (MissedTimes.skip, Duration?.none, [], ["05:00 -3", "06:00"]),
            (.runOnce, nil, ["04:00 -2"], ["05:00", "06:00"]),
            (.runAll, nil, ["02:00", "03:00", "04:00"], ["05:00", "06:00"]),
            (.runOnce, minute * 20, [], ["05:00 -3", "06:00"]),
            (.runAll, minute * 120, ["03:00 -1", "04:00"], ["05:00", "06:00"]),
            (.runOnce, minute * 30, ["04:00 -2"], ["05:00", "06:00"]),
            (.runAll, .zero, [], ["05:00 -3", "06:00"]),
        ]
    )
    func timeLines(missed: MissedTimes, grace: Duration?, atOnce: [String], later: [String]) throws {
        try withStamp { stamp in
            try CalendarStamp(path: stamp).write(Self.midnight + Self.hour)
            time.jump(by: Self.minute * 270)
            let subscription = Signals.interval(
                calendar: try CalendarSchedule("hourly", local: .utc),
                stampedIn: stamp,
                missed: missed,
                within: grace,
                on: time.wall
            ).subscribe(next: { ticks.add($0) }, failed: { Issue.record("\($0)") })
            time.advance()
            #expect(heard == atOnce)
            time.advance(by: Self.hour * 2 - Self.minute * 30)
            subscription.dispose()
            #expect(heard == atOnce + later)
            #expect(ticks.all.map(\.index).last == 4, "missed ticks have numbers, too")
            #expect(try CalendarStamp(path: stamp).read() == Self.midnight + Self.hour * 6)
        }
    }

    @Test("a stamp from before all times is written again")
    func beforeAll() throws {
        try withStamp { stamp in
            try CalendarStamp(path: stamp).write(TimerInstant(nanoseconds: .min))
            // A file system may have no such times.
            #expect(try CalendarStamp(path: stamp).read().map { $0 < Self.midnight } == true)
        }
    }

    @Test("a time from a file that is centuries before the calendar's first has a random offset")
    func longBefore() throws {
        let schedule = try CalendarSchedule("*-06-01", local: .utc)
        let offset = CalendarOffset.random(limit: 60_000_000_000, key: 7, schedule)
        let time = TimerInstant(nanoseconds: .min + 1)
        #expect((0...60_000_000_000).contains(offset.due(time).nanoseconds - time.nanoseconds))
    }

    @Test("a clock that is set back a little leaves the times since the stamp to come")
    func setBack() throws {
        var state = CalendarState(
            try CalendarSchedule("hourly", local: .utc),
            .none,
            missed: .runAll,
            grace: nil,
            done: Self.midnight + Self.hour,
            at: Self.midnight + Self.minute * 270
        )
        let isChanged = state.clockWasSet(to: Self.midnight + Self.minute * 269)
        #expect(isChanged)
        #expect(state.next == Self.midnight + Self.hour * 2)
    }

    @Test("what was skipped at the start is not caught up at the next start")
    func skippedForGood() throws {
        try withStamp { stamp in
            try CalendarStamp(path: stamp).write(Self.midnight + Self.hour)
            time.jump(by: Self.minute * 270)
            for missed in [MissedTimes.skip, .runAll] {
                Signals.interval(
                    calendar: try CalendarSchedule("hourly", local: .utc),
                    stampedIn: stamp,
                    missed: missed,
                    on: time.wall
                ).subscribe(next: { ticks.add($0) }, failed: { Issue.record("\($0)") }).dispose()
                time.advance()
            }
            #expect(heard == [])
        }
    }

    @Test("all that came due while the machine was suspended come, in their order, each with its own time")
    func suspended() throws {
        let subscription = listen(try CalendarSchedule("hourly", local: .utc), .runAll, nil)
        defer { subscription.dispose() }
        time.advance(by: Self.minute * 90)
        time.suspend(for: Self.hour * 3)
        time.advance()
        #expect(heard == ["01:00", "02:00", "03:00", "04:00"])
        #expect(ticks.all.suffix(3).map(\.lateness) == [2.5, 1.5, 0.5].map { Self.hour * $0 })
        time.advance(by: Self.minute * 30)
        #expect(heard.last == "05:00")
    }

    @Test(
        "a tick later than the grace period is left out, also without a restart",
        arguments: [MissedTimes.skip, .runOnce]
    )
    func graceWhileRunning(missed: MissedTimes) throws {
        let subscription = listen(try CalendarSchedule("3:00", local: .utc), missed, Self.hour)
        defer { subscription.dispose() }
        time.advance(by: Self.hour)
        time.suspend(for: Self.minute * 179)
        time.advance()
        #expect(heard == ["03:00"], "59 minutes late")
        time.suspend(for: Self.hour * 25)
        time.advance()
        #expect(heard == ["03:00"], "almost two hours late")
        time.advance(by: Self.hour * 24)
        #expect(heard == ["03:00", "03:00 -1"])
    }

    @Test("all that come due while the observer pauses come when it is ready, one by one")
    func pausing() throws {
        let quarters = try CalendarSchedule("*:0/15", local: .utc)
        let recorder = PausingRecorder(Signals.interval(calendar: quarters, missed: .runAll, on: time.wall), after: 1)
        time.advance(by: Self.hour)
        #expect(recorder.valueCount == 1 && time.pendingCount == 0)
        recorder.release(2)
        time.advance()
        #expect(recorder.values.map(\.index) == [0, 1, 2])
        #expect(recorder.values.map(\.lateness) == [.zero, Self.minute * 30, Self.minute * 15])
        recorder.release()
        time.advance(by: Self.minute * 15)
        #expect(recorder.values.map(\.index) == [0, 1, 2, 3, 4])
        #expect(recorder.values.allSatisfy { $0.missed == 0 } && recorder.overrun == 0)
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("a delay and the grace period count from the delayed time")
    func delayed() throws {
        try withStamp { stamp in
            try CalendarStamp(path: stamp).write(Self.midnight + Self.hour)
            time.jump(by: Self.minute * 270)
            let subscription = Signals.interval(
                calendar: try CalendarSchedule("hourly", local: .utc),
                stampedIn: stamp,
                missed: .runAll,
                within: Self.minute * 60,
                jitter: .fixed(Self.minute * 50),
                on: time.wall
            ).subscribe(next: { ticks.add($0) }, failed: { Issue.record("\($0)") })
            defer { subscription.dispose() }
            time.advance(by: Self.minute * 30)
            // 02:50 is too late at 04:30; 03:50 is 40 minutes late.
            #expect(heard == ["03:50 -1", "04:50"])
        }
    }

    private func listen(_ calendar: CalendarSchedule, _ missed: MissedTimes, _ grace: Duration?) -> any Disposable {
        Signals.interval(calendar: calendar, missed: missed, within: grace, on: time.wall)
            .subscribe(next: { ticks.add($0) })
    }

    private func withStamp(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "missed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path + "/stamp")
    }
}
