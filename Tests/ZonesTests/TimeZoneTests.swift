import Testing

@testable import Zones

@Suite("Time zones")
struct TimeZoneTests {
    /// As printed by `TZ=… date -d @… '+%z %Z'`.
    struct Known: CustomTestStringConvertible, Sendable {
        let zone: String
        let time: Int64
        let minutes: Int64
        let name: String

        init(_ zone: String, _ time: Int64, _ minutes: Int64, _ name: String) {
            self.zone = zone
            self.time = time
            self.minutes = minutes
            self.name = name
        }

        var testDescription: String { "\(zone) at \(time)" }
    }

    @Test(
        "a zone of the system shows what date(1) shows",
        arguments: [
            // Standard time is summer time, and winter time is an hour less.
            Known("Europe/Dublin", 1_704_067_200, 0, "GMT"), Known("Europe/Dublin", 1_719_792_000, 60, "IST"),
            Known("Europe/Dublin", 1_729_990_799, 60, "IST"), Known("Europe/Dublin", 1_729_990_800, 0, "GMT"),
            // Two hours at once.
            Known("Antarctica/Troll", 1_711_846_799, 0, "+00"), Known("Antarctica/Troll", 1_711_846_800, 120, "+02"),
            // An hour less during Ramadan.
            Known("Africa/Casablanca", 1_710_035_999, 60, "+01"), Known("Africa/Casablanca", 1_710_036_000, 0, "+00"),
            Known("Africa/Casablanca", 1_713_059_999, 0, "+00"), Known("Africa/Casablanca", 1_713_060_000, 60, "+01"),
            // South of the equator, by the file and by its rule.
            Known("Australia/Sydney", 1_704_067_200, 660, "AEDT"),
            Known("Australia/Sydney", 4_102_444_800, 660, "AEDT"),
            Known("Australia/Sydney", 4_118_000_000, 600, "AEST"),
            Known("Australia/Sydney", 253_402_300_799, 660, "AEDT"),
            Known("Europe/Berlin", 253_402_300_799, 60, "CET"),
            // Half an hour.
            Known("Australia/Lord_Howe", 1_704_067_200, 660, "+11"),
            Known("Australia/Lord_Howe", 1_719_792_000, 630, "+1030"),
            // Changes at negative hours, and at more than 24.
            Known("America/Nuuk", 4_102_444_800, -120, "-02"), Known("America/Nuuk", 4_118_000_000, -60, "-01"),
            Known("Asia/Gaza", 4_118_000_000, 180, "EEST"),
            // A day is left out.
            Known("Pacific/Apia", 1_325_239_199, -600, "-10"), Known("Pacific/Apia", 1_325_239_200, 840, "+14"),
            // Before the first change.
            Known("Europe/Berlin", -5_000_000_000, 53, "LMT"), Known("America/New_York", -62_135_596_800, -296, "LMT"),
        ]
    )
    func known(_ known: Known) throws {
        let zone = try ZoneDatabase.system.zone(named: known.zone)
        #expect(zone.offset(at: known.time) / 60 == known.minutes)
        #expect(zone.type(at: known.time).offset == zone.offset(at: known.time))
        #expect(zone.type(at: known.time).abbreviation == known.name)
    }

    @Test("the first type applies before the first transition, daylight-saving or not; the last after the last")
    func ends() throws {
        let file = ZoneFileBytes(
            transitions: [(100, 1), (200, 0)],
            types: [(3600, true, 8), (0, false, 4)]
        )
        let zone = try #require(ZoneFile(file.bytes).zone())
        #expect([Int64.min, 99, 100, 199, 200, .max].map { zone.offset(at: $0) } == [3600, 3600, 0, 0, 3600, 3600])
        #expect(zone.type(at: 99).abbreviation == "DST")
    }

    @Test("a slim file, which leaves years to the rule, and a fat one, which lists them, give the same zone")
    func slimAndFat() throws {
        let rule = "STD-1DST,M3.5.0,M10.5.0/3"
        let types: [(offset: Int32, isDaylightSaving: Bool, name: UInt8)] = [(3600, false, 4), (7200, true, 8)]
        let followed = try #require(ZoneRule(Array(rule.utf8)))
        var changes: [(time: Int64, kind: UInt8)] = []
        for hour in Int64(0)..<24 * 365 * 60 {
            let kind: UInt8 = followed.offset(at: hour * 3600) == 7200 ? 1 : 0
            if kind != changes.last?.kind ?? 0 { changes.append((hour * 3600, kind)) }
        }
        let slim = try #require(ZoneFile(ZoneFileBytes(types: types, footer: rule).bytes).zone())
        let fat = try #require(ZoneFile(ZoneFileBytes(transitions: changes, types: types, footer: rule).bytes).zone())
        #expect(changes.count > 100)
        for change in changes {
            for time in [change.time - 1, change.time] { #expect(slim.type(at: time) == fat.type(at: time)) }
        }
        #expect(slim.abbreviations == ("STD", "DST") && fat.abbreviations == ("STD", "DST"))
    }

    @Test("a file of the first version has times of 32 bits and no rule")
    func firstVersion() throws {
        let file = ZoneFileBytes(version: 0, transitions: [(-5, 1)], types: [(0, false, 0), (-3600, false, 4)])
        let zone = try #require(ZoneFile(file.bytes).zone())
        #expect(zone.offset(at: -6) == 0 && zone.offset(at: -5) == -3600)
    }

    @Test("leap seconds are not counted: transitions of a file that counts them are moved back")
    func leapSeconds() throws {
        let file = ZoneFileBytes(
            transitions: [(99, 1), (200, 0), (301, 1)],
            types: [(0, false, 4), (3600, true, 8)],
            leaps: [(100, 1), (250, 2)]
        )
        let zone = try #require(ZoneFile(file.bytes).zone())
        #expect([98, 99, 198, 199, 298, 299].map { zone.offset(at: $0) } == [0, 3600, 3600, 0, 0, 3600])
    }

    @Test("zones below right/ and those below posix/ are the same, while leap seconds are known")
    func rightAndPosix() throws {
        guard let right = try? ZoneDatabase.system.zone(named: "right/Europe/Berlin") else { return }
        let posix = try ZoneDatabase.system.zone(named: "Europe/Berlin")
        // Clocks are set at full hours, so a leap second too many or too few differs at one of them or just before it.
        let hours = stride(from: Int64(-1_999_998_000), to: 1_700_000_000, by: 3600)
        let differing = hours.first { hour in
            right.offset(at: hour) != posix.offset(at: hour) || right.offset(at: hour - 1) != posix.offset(at: hour - 1)
        }
        #expect(differing == nil)
    }
}
