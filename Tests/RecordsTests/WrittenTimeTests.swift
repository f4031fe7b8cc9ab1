import Glibc
import TestSupport
import Testing

@testable import Records

@Suite("Times as people write them")
struct WrittenTimeTests {
    private static let now: Int64 = 1_700_000_000_500_000

    private static let knownSpans: [(String, Int64)] = [
        ("now", now), ("-1h", now - 3_600_000_000), ("+2min 3s", now + 123_000_000), ("10min ago", now - 600_000_000),
        ("1.5h left", now + 5_400_000_000), ("@1.25", 1_250_000), ("@0", 0), ("1w 2d ago", now - 777_600_000_000),
        ("-3us", now - 3), ("-1M", now - 2_629_800_000_000), ("-5", now - 5_000_000),
    ]

    @Test("spans, names and seconds since 1970", arguments: knownSpans)
    func spans(text: String, expected: Int64) {
        #expect(WrittenTime.parse(text, now: Self.now) == expected)
    }

    @Test("a time before or after all is none")
    func beyond() {
        #expect(WrittenTime.parse("+1s", now: .max) == nil && WrittenTime.parse("1s left", now: .max) == nil)
        #expect(WrittenTime.parse("-1s", now: .min) == nil && WrittenTime.parse("1s ago", now: .min) == nil)
    }

    private static let knownDates: [(String, Int64?)] = [
        ("2012-11-23 11:12:13 UTC", 1_353_669_133_000_000), ("2012-11-23 11:12:13.5 UTC", 1_353_669_133_500_000),
        ("2012-11-23 11:12:13 utc", 1_353_669_133_000_000), ("2012-11-23T11:12:13Z", 1_353_669_133_000_000),
        ("12-11-23 11:12 UTC", 1_353_669_120_000_000),
        ("2012-11-23 UTC", 1_353_628_800_000_000), ("Fri 2012-11-23 11:12:13 UTC", 1_353_669_133_000_000),
        ("friday 2012-11-23 UTC", 1_353_628_800_000_000), ("today UTC", 1_699_920_000_000_000),
        ("1969-12-31 23:59:59 UTC", nil), ("2012-11-23T11:12:13+0000", 1_353_669_133_000_000),
        ("2012-11-23T11:12:13.5-03:30", 1_353_681_733_500_000), ("2012-11-23T11:12+01", 1_353_665_520_000_000),
        ("2012-11-23T23:59:59-2359", 1_353_801_539_000_000), ("Nov 14 22:13:20 UTC", 1_700_000_000_000_000),
        ("nov 14 22:13:20.500001 UTC", 1_668_464_000_500_001), ("Dec 1 UTC", 1_669_852_800_000_000),
        ("11:12 UTC", 1_699_960_320_000_000),
    ]

    /// As journalctl 252 reads them.
    private static let knownZones: [(String, Int64?)] = [
        ("2026-01-01 10:00 America/New_York", 1_767_279_600), ("2026-01-01 America/New_York", 1_767_243_600),
        ("Thu 2026-01-01 10:00:30.5 Asia/Kathmandu", 1_767_240_930), ("Fri 2026-01-01 10:00 Asia/Kathmandu", nil),
        ("today Pacific/Kiritimati", 1_699_956_000), ("today Pacific/Honolulu", 1_699_956_000),
        ("00:00 Asia/Tokyo", 1_699_974_000), ("2026-01-01 10:00 Etc/UTC", 1_767_261_600),
        // The first time is shown twice by the clock, the second never.
        ("2026-10-25 02:30 Europe/Berlin", 1_792_891_800), ("2026-03-29 02:30 Europe/Berlin", 1_774_747_800),
        ("2026-03-08 02:30 America/New_York", 1_772_955_000),
        // A zone's abbreviation is that of its winter time.
        ("2026-07-01 02:30 CET", 1_782_869_400), ("2026-07-01 02:30 EST5EDT", 1_782_887_400),
        ("now America/New_York", nil), ("@1 America/New_York", nil), ("2026-01-01 10:00 europe/berlin", nil),
        ("2026-01-01 10:00 Europe", nil), ("2026-01-01 10:00 ../zoneinfo/UTC", nil), ("Europe/Berlin", nil),
        ("2026-01-01T10:00 Europe/Berlin", nil), ("2026-01-01 10:00 UTC Europe/Berlin", nil),
    ]

    @Test("dates in a named time zone", arguments: knownZones)
    func zones(text: String, seconds: Int64?) {
        #expect(WrittenTime.parse(text, now: Self.now).map { $0 / 1_000_000 } == seconds)
    }

    @Test("dates in UTC", arguments: knownDates)
    func dates(text: String, expected: Int64?) {
        #expect(WrittenTime.parse(text, now: Self.now) == expected)
    }

    @Test(
        "anything but a time is refused",
        arguments: [
            "", " ", "-", "@", "+", "ago", "yesterdy", "2012-13-01", "2012-02-30", "2012-11-23 25:00", "11:60", "11",
            "2012-11-23 11:12:13 CEST", "Sat 2012-11-23", "-1x", "-1..5h", "1h", "2012-11-23T", "T", "--1h", "-1h ago",
            "99999999-01-01", "@99999999999999999999", "2012-11-23 11:12:13.1234567", "٣ago", "2012-11-23 11:12 x",
            "2012-11-23T11:12+", "2012-11-23T11:12+1", "2012-11-23T11:12+010", "2012-11-23T11:12+01:",
            "2012-11-23T11:12+24",
            "2012-11-23T11:12+01:60", "2012-11-23T+01", "2012-11-23T11:12Z+01", "2012-11-23T11:12 UTC", "Nov", "Nov 31",
            "Nov 14 2012", "Fri Nov 14", "Nov 14 10:00 x",
        ] as [String]
    )
    func refused(text: String) {
        #expect(WrittenTime.parse(text, now: Self.now) == nil)
    }
}
