import Records
import Testing

@Suite("Times of records")
struct RecordTimeTests {
    private func read(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { RecordTime.read($0) }?.microseconds
    }

    private func read(number text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { RecordTime.read(number: $0) }?.microseconds
    }

    @Test(
        "RFC 3339, and its variants in log files",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-23T21:07:26.5Z", 1_795_468_046_500_000),
            ("2026-11-23 22:07:26,500000+01:00", 1_795_468_046_500_000),
            ("2026-11-23T22:07:26.5+0100", 1_795_468_046_500_000),
            ("1969-12-31t23:59:59.999999999z", -1), ("2024-02-29T12:30:60-00:00", 1_709_209_860_000_000),
        ]
    )
    func valid(text: String, microseconds: Int64) {
        #expect(read(text) == microseconds)
        #expect(RecordTime(text) == RecordTime(microseconds: microseconds))
        if microseconds % 1_000_000 != 999_999, let time = read(RecordTime.text(microseconds)) {
            #expect(time == microseconds)
        }
    }

    @Test("shifted beyond all times it is the last one")
    func shifted() {
        let time = RecordTime(microseconds: 5)
        #expect(time.shifted(by: -7).microseconds == -2)
        #expect(time.shifted(by: .max).microseconds == .max)
        #expect(RecordTime(microseconds: -5).shifted(by: .min).microseconds == .min)
    }

    @Test(
        "no time at all",
        arguments: [
            "", "2026", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-23T24:00:00Z", "2026-11-23T21:07:26",
            "2026-11-23T21:07:26.Z", "2026-11-23T21:07:26Z ", "2026-11-23T21:07:26+24:00", "２026-11-23T21:07:26Z",
        ]
    )
    func invalid(text: String) {
        #expect(read(text) == nil)
        #expect(RecordTime(text) == nil)
    }

    @Test(
        "numbers since 1970 by their size",
        arguments: [
            ("1700000000", 1_700_000_000_000_000), ("1700000000.5", 1_700_000_000_500_000),
            ("1700000000123", 1_700_000_000_123_000), ("1700000000123456", 1_700_000_000_123_456),
            ("1700000000123456789", 1_700_000_000_123_456),
        ] as [(String, Int64)]
    )
    func numbers(text: String, microseconds: Int64) {
        #expect(read(number: text) == microseconds)
    }

    @Test("numbers that are not times", arguments: ["0", "-1700000000", "99999999", "nan", "inf", "1e300", "x", ""])
    func noNumber(text: String) {
        #expect(read(number: text) == nil)
    }

    @Test("a line that begins with a time")
    func beginning() {
        let line = Array("2026-11-23T21:07:26Z host app: started".utf8)
        let found = line.withUnsafeBytes { RecordTime.begin(of: $0) }
        #expect(found?.time.microseconds == 1_795_468_046_000_000 && found?.length == 20)
    }
}
