import Bus
import BusTesting
import Foundation
import TestSupport
import Testing
@testable import Timers

/// A delay is an offset of the schedule: a restart neither repeats a tick nor loses one.
@Suite("interval(calendar:) with a delay")
struct CalendarDelayTests {
    /// 2026-03-02, a Monday, 00:00 UTC.
    private static let midnight = TimerInstant(nanoseconds: 1_772_409_600_000_000_000)
    private static let minute = Duration.seconds(60)
    private static let hour = minute * 60
    private static let late = Jitter.fixed(minute * 55)

    private let hourly: CalendarSchedule
    private let folder = FileManager.default.temporaryDirectory.appending(path: "delay-\(UUID().uuidString)").path
    private let time = TestScheduler(wallTime: midnight)
    private let ticks = Collected<Tick>()

    init() throws { hourly = try CalendarSchedule("hourly", local: .utc) }

    @Test("a restart before the delayed time catches nothing up, and the tick comes at its time")
    func restart() throws {
        try withFolder {
            time.advance(by: Self.hour * 8)
            run(.stamped, Self.late, until: Self.hour * 10)
            #expect(heard == ["08:55", "09:55"])
            time.jump(by: Self.minute * 5)
            run(.stamped, Self.late, until: Self.hour * 11)
            #expect(heard == ["08:55", "09:55", "10:55"])
            #expect(ticks.all.allSatisfy { $0.lateness == .zero && $0.missed == 0 })
        }
    }

    @Test("a program that is restarted more often than its delay is long ticks every hour", arguments: [true, false])
    func frequentRestarts(isStamped: Bool) throws {
        try withFolder {
            for number in 1...24 {
                run(isStamped ? .stamped : .plain, Self.late, until: Self.minute * 50 * number)
            }
            // The first belongs to 23:00 of the day before.
            #expect(heard.first == "00:55" || heard.first == "01:55")
            #expect(heard.suffix(18) == (2...19).map { String(format: "%02d:55", $0) }[...])
        }
    }

    /// https://github.com/systemd/systemd/issues/42337: after the catch-up, the next tick was left out.
    @Test("a catch-up after a stop across the delayed time leaves the next delayed time as it is")
    func catchUpKeepsThePattern() throws {
        try withFolder {
            run(.stamped, Self.late, until: Self.minute * (9 * 60 + 50))
            #expect(heard.last == "08:55")
            time.jump(by: Self.minute * 15)
            let before = ticks.all.count
            run(.stamped, Self.late, until: Self.hour * 13)
            #expect(heard.dropFirst(before) == ["09:55", "10:55", "11:55", "12:55"])
            #expect(ticks.all.dropFirst(before).map(\.lateness) == [Self.minute * 10, .zero, .zero, .zero])
        }
    }

    /// https://github.com/systemd/systemd/issues/21166: the delay began anew with each start.
    @Test(
        "a machine that is on for less time than the delay is long still does its job",
        arguments: [Jitter.each(below: hour * 12), .once(below: hour * 12, seed: 3), .fixed(hour * 11)]
    )
    func rarelyOn(delay: Jitter) throws {
        let twiceADay = try CalendarSchedule("*-*-* 6,18:00", local: .utc)
        try withFolder {
            for day in 0..<30 {
                time.advance(by: time.wall.now.duration(to: Self.midnight + Self.hour * (24 * day + 9)))
                let before = ticks.all.count
                let subscription = subscribe(.stamped, twiceADay, delay, on: time, ticks)
                time.advance(by: Self.hour * 2)
                subscription.dispose()
                // Without a stamp from the day before there is nothing to catch up.
                if day > 0 { #expect(ticks.all.count > before) }
            }
            #expect(ticks.all.count + ticks.all.map(\.missed).reduce(0, +) >= 57)
        }
    }

    @Test("an offset longer than the period is one of whole periods and a rest; nothing repeats, nothing is lost")
    func longOffset() throws {
        try withFolder {
            let delay = Jitter.fixed(Self.hour * 49 + Self.minute * 5)
            run(.stamped, delay, until: Self.hour * 3)
            #expect(heard == ["00:05", "01:05", "02:05"])
            time.jump(by: Self.hour * 2)
            run(.stamped, delay, until: Self.hour * 6)
            #expect(heard == ["00:05", "01:05", "02:05", "04:05", "05:05"])
            #expect(ticks.all.map(\.missed) == [0, 0, 0, 1, 0])
        }
    }

    @Test("what was missed is caught up by its delayed time, and what is still to come waits for it")
    func catchesUp() throws {
        try withFolder {
            run(.stamped, Self.late, until: Self.minute * 60)
            #expect(heard == ["00:55"])
            time.jump(by: Self.minute * 150)
            run(.stamped, Self.late, until: Self.hour * 4)
            // At 03:30: those of 01:55 and 02:55 were missed.
            #expect(heard == ["00:55", "02:55", "03:55"])
            #expect(ticks.all.map(\.missed) == [0, 1, 0])
            #expect(ticks.all.map(\.lateness) == [.zero, Self.minute * 35, .zero])
        }
    }

    @Test("the delay may be changed between two runs")
    func changedDelay() throws {
        try withFolder {
            run(.stamped, .none, until: Self.minute * 65)
            run(.stamped, Self.late, until: Self.minute * 130)
            run(.stamped, .fixed(Self.minute * 10), until: Self.minute * 200)
            #expect(heard == ["01:00", "02:10", "03:10"])
        }
    }

    @Test("a stamp of an earlier version, the time of delivery, repeats no tick", arguments: [0, 5, 30, 55])
    func oldStamp(delay: Int) throws {
        try withFolder {
            time.jump(by: Self.hour * 9 + Self.minute * delay + .milliseconds(3))
            // Delivered now, that of 09:00.
            try CalendarStamp(path: stamp).write(time.wall.now)
            time.jump(by: Self.minute * 4)
            run(.stamped, .fixed(Self.minute * delay), until: Self.hour * 11 + Self.minute * 2)
            let minutes = String(format: "%02d", delay)
            #expect(heard == (delay > 2 ? ["10:\(minutes)"] : ["10:\(minutes)", "11:\(minutes)"]))
            #expect(ticks.all.allSatisfy { $0.lateness == .zero })
        }
    }

    @Test("random delays keep the calendar's order, stay below their limit, and are the same after a restart")
    func randomDelays() {
        let day = Self.hour * 24
        for limit in [Self.minute, Self.hour, Self.hour * 5] {
            let delay = Jitter.each(below: limit)
            let before = ticks.all.count
            run(.plain, delay, until: day)
            let first = ticks.all.dropFirst(before)
            #expect((23...24).contains(first.count))
            #expect(zip(first, first.dropFirst()).allSatisfy { $0.scheduled < $1.scheduled })
            #expect(first.allSatisfy { $0.lateness == .zero && $0.missed == 0 })
            #expect(
                first.allSatisfy {
                    Self.midnight.duration(to: $0.scheduled).attoseconds % Self.hour.attoseconds <= limit.attoseconds
                }
            )
            #expect(
                Set(first.map { Self.midnight.duration(to: $0.scheduled).attoseconds % Self.hour.attoseconds }).count
                    > 20
            )
            let again = Collected<Tick>()
            let other = TestScheduler(wallTime: Self.midnight)
            let subscription = Signals.interval(calendar: hourly, jitter: delay, on: other.wall)
                .subscribe(next: { again.add($0) })
            other.advance(by: day)
            subscription.dispose()
            #expect(again.all.map(\.scheduled) == first.map(\.scheduled))
            time.stepWall(by: .zero - day)
        }
    }

    @Test("a clock that is set back past the delayed time repeats the tick; one that is set back less does not")
    func setBack() {
        let subscription = subscribe(.plain, Self.late)
        defer { subscription.dispose() }
        time.advance(by: Self.hour)
        #expect(heard == ["00:55"])
        time.stepWall(by: Self.minute * -4)
        time.advance(by: Self.minute)
        #expect(heard == ["00:55"], "the clock shows 00:57")
        time.stepWall(by: Self.minute * -7)
        time.advance(by: Self.minute * 10)
        #expect(heard == ["00:55", "00:55"])
        time.stepWall(by: Self.hour * -3)
        time.advance(by: Self.hour * 4)
        #expect(heard == ["00:55", "00:55", "22:55", "23:55", "00:55", "01:55"])
    }

    @Test("a clock that is set forward past a delayed time brings the tick at once, and counts what it passed")
    func setForward() {
        let subscription = subscribe(.plain, Self.late)
        defer { subscription.dispose() }
        time.advance(by: Self.minute * 10)
        time.stepWall(by: Self.minute * 40)
        time.advance()
        #expect(heard == [], "the clock shows 00:50")
        time.stepWall(by: Self.minute * 140)
        time.advance()
        #expect(heard == ["02:55"])
        #expect(ticks.all.map(\.missed) == [2])
    }

    /// What ran at once and what was counted as missed are together all that the calendar has.
    @Test(
        "restarted at random moments over a week, each of the calendar's times ticks exactly once",
        arguments: [
            ("hourly", Jitter.none), ("hourly", .fixed(minute * 55)), ("hourly", .fixed(minute * 150)),
            ("hourly", .each(below: minute * 55)), ("hourly", .each(below: minute * 300, seed: 3)),
            ("*:0/7", .fixed(minute * 20)), ("*:0/7", .each(below: hour)), ("Mon,Thu 3:00", .each(below: hour * 12)),
        ]
    )
    func week(calendar: String, delay: Jitter) throws {
        let calendar = try CalendarSchedule(calendar, local: .utc)
        try withFolder {
            for isStamped in [false, true] {
                var random = SeededGenerator(11)
                let time = TestScheduler(wallTime: Self.midnight)
                let ticks = Collected<Tick>()
                let end = Self.midnight.advanced(by: Self.hour * 24 * 7)
                while time.wall.now < end {
                    let subscription = subscribe(isStamped ? .stamped : .plain, calendar, delay, on: time, ticks)
                    time.advance(by: .milliseconds(random.number(0..<(random.chance(50) ? 600_000 : 9_000_000))))
                    subscription.dispose()
                    // Without a stamp, what is due while the program does not run is lost.
                    if isStamped { time.jump(by: .milliseconds(random.number(0..<5_000_000))) }
                }
                let offset = delay.offset(for: calendar)
                let last = try #require(ticks.all.last).scheduled
                let expected = calendar.occurrences(after: Self.midnight.advanced(by: Self.hour * -48))
                    .lazy.map(offset.due).drop { $0 <= Self.midnight }.prefix { $0 <= last }
                let due = Set(expected)
                #expect(Set(ticks.all.map(\.scheduled)).count == ticks.all.count)
                #expect(ticks.all.allSatisfy { due.contains($0.scheduled) })
                #expect(ticks.all.count + ticks.all.map(\.missed).reduce(0, +) == due.count)
                if !isStamped { #expect(ticks.all.allSatisfy { $0.missed == 0 && $0.lateness == .zero }) }
            }
        }
    }

    @Test("the last of a calendar's times is found in few steps", arguments: ["*:*:0.25/0.5", "*-2-29", "Mon 3:00"])
    func last(text: String) throws {
        let calendar = try CalendarSchedule(text, local: .utc)
        var random = SeededGenerator(5)
        for _ in 0..<50 {
            let start = Self.midnight.advanced(by: .seconds(random.number(-1_000_000_000..<1_000_000_000)))
            let first = try #require(calendar.next(after: start))
            let limit = first.advanced(byNanoseconds: Int64(random.number(0..<1_000_000_000_000_000_000)))
            let last = calendar.last(from: first, until: limit)
            #expect(last <= limit && last >= first)
            #expect(try #require(calendar.next(after: last)) > limit)
            #expect(calendar.next(after: last.advanced(byNanoseconds: -1)) == last)
        }
    }

    // MARK: Runs

    private enum Kind { case plain, stamped }

    private var stamp: String { folder + "/stamp" }

    /// The times of day at which the ticks were due.
    private var heard: [String] {
        ticks.all.map { tick in
            let minutes = (tick.scheduled.nanoseconds / 60_000_000_000) % 1440
            return String(format: "%02d:%02d", minutes / 60, minutes % 60)
        }
    }

    private func subscribe(_ kind: Kind, _ delay: Jitter) -> any Disposable {
        subscribe(kind, hourly, delay, on: time, ticks)
    }

    private func subscribe(
        _ kind: Kind,
        _ calendar: CalendarSchedule,
        _ delay: Jitter,
        on time: TestScheduler,
        _ ticks: Collected<Tick>
    ) -> any Disposable {
        switch kind {
        case .plain:
            Signals.interval(calendar: calendar, jitter: delay, on: time.wall).subscribe(next: { ticks.add($0) })
        case .stamped:
            Signals.interval(calendar: calendar, stampedIn: stamp, jitter: delay, on: time.wall).subscribe(
                next: { ticks.add($0) },
                failed: { Issue.record("\($0)") }
            )
        }
    }

    private func run(_ kind: Kind, _ delay: Jitter, until end: Duration) {
        let subscription = subscribe(kind, delay)
        time.advance(by: time.wall.now.duration(to: Self.midnight.advanced(by: end)))
        subscription.dispose()
    }

    private func withFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }
}
