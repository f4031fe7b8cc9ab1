import Records
import TestSupport
import Testing
import Timers

@Suite("Spans of records")
struct RecordGroupingTests {
    /// 0001-01-01T00:00:00Z
    private let earliest: Int64 = -62_135_596_800_000_000

    @Test(
        "go from one time of a calendar to the next, also where the clocks change",
        arguments: [
            "daily Europe/Berlin", "*:0/15 UTC", "Mon 02:30 Europe/Berlin", "*-02-29 UTC", "hourly Australia/Lord_Howe",
            "*:*:0/7 UTC", "2024-03-05 UTC",
        ]
    )
    func calendars(text: String) throws {
        let calendar = try CalendarSchedule(text)
        let grouping = RecordGrouping(every: calendar)
        func next(after time: Int64) -> Int64? {
            calendar.next(after: TimerInstant(nanoseconds: time * 1000)).map { $0.nanoseconds / 1000 }
        }
        var random = SeededGenerator(11)
        for _ in 0..<500 {
            // Around the spring of 2024.
            let time = 1_711_850_000_000_000 + Int64(random.number(-5_000_000..<5_000_000)) * 1_000_003
            let span = grouping.span(of: time)
            #expect(span.contains(time) && grouping.begin(of: time) == span.lowerBound)
            #expect(span.lowerBound == earliest || next(after: span.lowerBound - 1) == span.lowerBound)
            #expect(next(after: max(span.lowerBound, 0)) ?? .max == span.upperBound)
        }
    }

    @Test("before the first time of a calendar, and behind the last one, are of one")
    func ends() throws {
        let grouping = RecordGrouping(every: try CalendarSchedule("2024-03-05 UTC"))
        let time: Int64 = 1_709_596_800_000_000
        #expect(grouping.span(of: time - 1) == earliest..<time)
        #expect(grouping.span(of: .min) == earliest..<time)
        #expect(grouping.span(of: time) == time ..< .max)
        #expect(grouping.span(of: .max - 1) == time ..< .max)
    }

    @Test("the last of very many times is found without a step for each")
    func many() throws {
        let seconds = RecordGrouping(every: try CalendarSchedule("2023-*-* *:*:* UTC"))
        #expect(seconds.span(of: 1_790_000_000_000_000) == 1_704_067_199_000_000 ..< .max)
        // There are none from 2200 on.
        let minutes = RecordGrouping(every: try CalendarSchedule("*:*:00 UTC"))
        #expect(minutes.span(of: 1 << 55) == 7_258_118_340_000_000 ..< .max)
    }

    @Test("of equal length begin at multiples of it")
    func equal() {
        let grouping = RecordGrouping(every: .microseconds(10))
        #expect(grouping.span(of: -1) == -10..<0)
        #expect(grouping.span(of: 25) == 20..<30)
        #expect(RecordGrouping(every: .seconds(1 << 40)).span(of: .max - 1).upperBound == .max)
        let longest = RecordGrouping(every: .seconds(9_223_372_036_854) + .milliseconds(900))
        #expect(longest.span(of: 0).upperBound == .max)
        for length in [1, 1 << 40, 1 << 60] {
            let grouping = RecordGrouping(every: .seconds(length))
            #expect(grouping.begin(of: .min) == earliest && grouping.span(of: .min).contains(earliest))
            #expect(grouping.begin(of: -1) == (length == 1 ? -1_000_000 : earliest) && grouping.begin(of: 1) == 0)
        }
    }
}
