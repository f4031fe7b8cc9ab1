import Records
import TestSupport
import Testing

@Suite("A line between records that are far apart in time")
struct TimeGapLineTests {
    @Test("appears before a record of which something is shown, and nowhere else")
    func shown() {
        var aids = ReadingAids()
        aids.timeGap = .seconds(60)
        func minute(_ number: Int64) -> RecordTime { RecordTime(microseconds: number * 60_000_000) }
        let records = [
            Record(source: "a", time: 0, sequence: 1, content: RecordFields(message: "one")),
            Record.gap(lost: 1, source: "a", time: minute(5), sequence: 2, message: "lost"),
            Record(source: "a", time: minute(10), sequence: 3, content: RecordFields(["x": .int(1)])),
            Record(source: "a", time: minute(20), sequence: 4, content: RecordFields(message: "two")),
            Record(source: "a", time: minute(21), sequence: 5, content: RecordFields(message: "three")),
        ]
        func text(_ format: RecordFormat) -> String {
            var writer = RecordWriter(RecordStyle(format), aids)
            var output = OutputBuffer()
            for record in records { writer.write(record, to: &output) }
            return output.withBytes { String(decoding: $0, as: UTF8.self) }
        }
        #expect(text(.message) == "one\nlost\n-- 20min --\ntwo\nthree\n")
        #expect(
            text(.line(.classic)).split(separator: "\n").filter { $0.hasPrefix("--") } == [
                "-- 10min --", "-- 10min --",
            ]
        )
        #expect(!text(.json).contains("--") && !text(.logfmt).contains("--"))
    }
}
