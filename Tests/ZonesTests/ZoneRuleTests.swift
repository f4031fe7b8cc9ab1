import Testing

@testable import Zones

@Suite("Zone rules")
struct ZoneRuleTests {
    /// As printed by `TZ=… date -d @… +%z`, in seconds.
    @Test(
        "a rule shows what date(1) shows",
        arguments: [
            ("XXX-2", 1_700_000_000, 7200), ("<+02>-2", 1_720_000_000, 7200), ("XXX-24", 1_700_000_000, 86_400),
            ("CET-1CEST,M3.5.0,M10.5.0/3", 1_720_000_000, 7200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_700_000_000, 3600),
            // Without dates, those of the United States apply.
            ("XXX5YYY", 1_700_000_000, -18_000), ("XXX5YYY", 1_720_000_000, -14_400),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_704_067_200, 0), ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_720_000_000, 3600),
            ("<+00>0<+02>-2,M3.5.0/1,M10.5.0/3", 1_711_846_800, 7200),
            // Daylight-saving time at all times.
            ("EST5EDT,0/0,J365/25", 1_704_085_200, -14_400), ("EST5EDT,0/0,J365/25", 1_735_707_599, -14_400),
            // February 29 is the 60th day; J60 is March 1.
            ("XXX0YYY,J60/0,J300/0", 1_709_251_199, 0), ("XXX0YYY,J60/0,J300/0", 1_709_251_200, 3600),
            ("XXX0YYY,59/0,300/0", 1_709_164_800, 3600), ("XXX0YYY,59/0,300/0", 1_709_164_799, 0),
        ]
    )
    func known(text: String, time: Int64, offset: Int64) throws {
        let rule = try #require(ZoneRule(Array(text.utf8)))
        #expect(rule.offset(at: time) == offset)
        #expect(rule.type(at: time).offset == offset)
    }

    @Test(
        "an invalid rule is refused",
        arguments: [
            "", "X-2", "XX-2", "<>-2", "<+02-2", "<a b>1", "XXX", "XXX-25", "XXX1:60", "XXX5YYY,M3.5.0",
            "XXX5YYY,M13.1.0,M1.1.0", "XXX5YYY,M1.6.0,M2.1.0", "XXX5YYY,M1.1.7,M2.1.0", "XXX5YYY,J0,J5",
            "XXX5YYY,J366,J5",
            "XXX5YYY,366,5", "XXX5YYY,1/168,5", "CET-1CEST,M3.5.0,M10.5.0/3x", "XXX5 ", "XXX99999999999999999999",
            "XXX5YYY,M3.5.0/,M10.5.0", "Europe/Berlin",
        ]
    )
    func refused(text: String) {
        #expect(ZoneRule(Array(text.utf8)) == nil)
    }
}
