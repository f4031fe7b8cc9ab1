import JournalBridge
import Records
import TestSupport
import Testing

@testable import busctl_rx

@Suite("what count writes, and what it is asked for")
struct CountTextTests {
    @Test("values in CSV are as they are in a file, and drive no terminal", arguments: [true, false])
    func csv(isForTerminal: Bool) throws {
        let grouping = RecordGrouping(fields: [try FieldPath("unit")])
        let value = "a\u{1b}[2J,\n"
        var counts = RecordCounts()
        counts.add(
            Record(source: "a", time: 0, sequence: 1, content: RecordFields(["unit": .text(value)])),
            in: grouping
        )
        let text = CountText(
            format: .csv,
            grouping: grouping,
            isUTC: true,
            isForTerminal: isForTerminal,
            hasBlocks: false,
            width: 80,
            top: nil,
            isFramed: false
        ).text(of: counts)
        #expect(text == "unit,count\n\"\(isForTerminal ? "a\\x1b[2J,\\n" : value)\",1\n")
    }

    @Test("times that are too far apart have no course", arguments: [[0, .max], [.min, .max], [-1, .max - 1]])
    func course(times: [Int64]) throws {
        for span in [Duration.microseconds(1), .seconds(3600)] {
            let grouping = RecordGrouping(every: span)
            var counts = RecordCounts()
            for time in times {
                let record = Record(
                    source: "a",
                    time: RecordTime(microseconds: time),
                    sequence: 1,
                    content: RecordFields([:])
                )
                counts.add(record, in: grouping)
            }
            let course = Course(of: [counts.rows], by: grouping, maxColumns: 40)
            #expect(course.map { $0.begins.count <= 41 } ?? true)
            #expect(Course.begins(of: counts.rows, by: grouping, limit: 1000) == nil)
        }
    }

    @Test(
        "there are no groups by what is different in each entry",
        arguments: ["__CURSOR", "unit,__REALTIME_TIMESTAMP"]
    )
    func unique(names: String) {
        let mistake = #expect(throws: BadValue.self) { try FieldList.groups(names) }
        #expect(mistake?.description.hasSuffix("is different in each entry; --every counts by time") == true)
    }
}
