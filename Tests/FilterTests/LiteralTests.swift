import Testing

@testable import Filter

@Suite struct LiteralTests {
    @Test(arguments: [
        ("0", OwnedValue.int(0)),
        ("0x1F", .int(31)),
        ("-0x10", .int(-16)),
        ("9223372036854775807", .int(.max)),
        ("-9223372036854775808", .int(.min)),
        ("18446744073709551615u", .uint(.max)),
        ("0xFFU", .uint(255)),
        ("1.5", .double(1.5)),
        (".5", .double(0.5)),
        ("1e3", .double(1000)),
        ("1.5E-3", .double(0.0015)),
        ("true", .bool(true)),
        ("null", .null),
        ("[1, 'a', null]", .list([.int(1), .string(Array("a".utf8)), .null])),
    ])
    func `numbers and constants`(text: String, expected: OwnedValue) throws {
        #expect(try value(of: text) == expected)
    }

    @Test(arguments: [
        (#""plain""#, "plain"),
        (#"'it\'s "so"'"#, "it's \"so\""),
        (#""\a\b\f\n\r\t\v\\\?\"\'\`""#, "\u{07}\u{08}\u{0C}\n\r\t\u{0B}\\?\"'`"),
        (#""\x41\X42\103""#, "ABC"),
        (#""\xff\377""#, "ÿÿ"),
        (#""\u00e9\U0001F431""#, "é🐱"),
        (#"r"\n\u0041""#, #"\n\u0041"#),
        (#"R'a\'"#, #"a\"#),
        ("'''it's\ntwo \"lines\"'''", "it's\ntwo \"lines\""),
        ("\"\"\"a\"\"b\"\"\"", "a\"\"b"),
        ("''''''", ""),
        ("''", ""),
        ("r'''\\'''", "\\"),
        ("'日本'", "日本"),
    ])
    func `text in every form`(text: String, expected: String) throws {
        #expect(try value(of: text) == .string(Array(expected.utf8)))
    }

    @Test(arguments: [
        (#"b"abc""#, Array("abc".utf8)),
        (#"b'\xff\377\000'"#, [0xFF, 0xFF, 0]),
        (#"b'ÿ'"#, [0xC3, 0xBF]),
        (#"br'\xff'"#, Array(#"\xff"#.utf8)),
        (#"Rb'\n'"#, Array(#"\n"#.utf8)),
    ])
    func `bytes in every form`(text: String, expected: [UInt8]) throws {
        #expect(try value(of: text) == .bytes(expected))
    }

    @Test(arguments: [
        ("2024-02-29T12:30:00Z", 1_709_209_800, 0),
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
        ("2024-02-29T12:30:00+02:00", 1_709_202_600, 0),
        ("2024-02-29T12:30:00.123456789-00:30", 1_709_211_600, 123_456_789),
        ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
        ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
    ])
    func `times are RFC 3339`(text: String, seconds: Int64, nanoseconds: Int32) throws {
        let time = try #require(Timestamp(parsing: text.utf8))
        #expect(time.seconds == seconds)
        #expect(time.nanoseconds == nanoseconds)
        #expect(try value(of: "timestamp(string(timestamp('\(text)'))) == timestamp('\(text)')") == .bool(true))
    }

    @Test(arguments: [
        "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T24:00:00Z",
        "2024-1-1T00:00:00Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00Zx", "0000-01-01T00:00:00Z", "",
        "0001-01-01T00:00:00+01:00",
    ])
    func `what is no time is refused`(text: String) {
        #expect(Timestamp(parsing: text.utf8) == nil)
    }

    @Test(arguments: [
        ("1h30m", 5_400_000_000_000), ("1.5s", 1_500_000_000), ("-250ms", -250_000_000), ("0", 0), ("1us", 1000),
        ("1µs", 1000),
        ("10ns", 10), ("+2m", 120_000_000_000), (".5h", 1_800_000_000_000), ("1h0.000000001s", 3_600_000_000_001),
        ("-9223372036854775808ns", Int64.min), ("9223372036854775807ns", Int64.max),
    ])
    func `durations are numbers with units`(text: String, nanoseconds: Int64) {
        #expect(DurationText.parse(text.utf8) == nanoseconds)
    }

    @Test(arguments: ["", "5", "s", "1x", "1.s.", "--1s", "9223372036854775808ns", "3000000h", "1 h", "1y", "."])
    func `what is no duration is refused`(text: String) {
        #expect(DurationText.parse(text.utf8) == nil)
    }

    @Test(arguments: [
        (1.0, "1"), (0.1, "0.1"), (-0.0045, "-0.0045"), (123.456, "123.456"), (999_999, "999999"),
        (1e6, "1e+06"), (-1_234_567, "-1.234567e+06"), (123_456_789, "1.23456789e+08"), (1e21, "1e+21"),
        (1.5e-7, "1.5e-07"), (0.0001, "0.0001"), (0.00001, "1e-05"), (-0.0, "-0"),
        (6.02214e23, "6.02214e+23"),
        (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"), (12_345_678.25, "1.234567825e+07"),
    ])
    func `doubles print their shortest digits`(number: Double, text: String) {
        #expect(DoubleText.format(number) == text)
    }
}
