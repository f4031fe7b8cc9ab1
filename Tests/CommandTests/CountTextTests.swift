import Foundation
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

    @Test("a table on a terminal has as many rows as are seen, and is drawn on all of it after another size")
    func fitted() throws {
        let grouping = RecordGrouping(fields: [try FieldPath("unit")])
        var counts = RecordCounts()
        for number in 0..<30 {
            let fields = RecordFields(["unit": .text("a long name of the unit \(number)")])
            counts.add(Record(source: "a", time: 0, sequence: 1, content: fields), in: grouping)
        }
        let text = CountText(
            format: .table,
            grouping: grouping,
            isUTC: true,
            isForTerminal: true,
            hasBlocks: false,
            width: 80,
            top: 20,
            isFramed: false
        )
        let drawn = RedrawnText()
        func draw(_ columns: Int, _ rows: Int) -> (begin: String, lines: [Substring]) {
            let size = RedrawnText.Size(columns: columns, rows: rows)
            let bytes = drawn.replacing(with: text.fitted(to: size).text(of: counts), on: size)
            let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}[?7l")
            let lines = parts[1].components(separatedBy: "\u{1B}[?7h")[0].split(separator: "\n")
            return (parts[0], lines)
        }
        let first = draw(80, 12)
        #expect(first.begin == "\u{1B}[J" && first.lines.count == 10 && first.lines[0].hasSuffix("UNIT"))
        #expect(first.lines.last?.hasSuffix("(others)") == true)
        #expect(draw(80, 12).begin == "\r\u{1B}[10A\u{1B}[J")
        let small = draw(20, 5)
        #expect(small.begin == "\u{1B}[H\u{1B}[J" && small.lines.count == 3)
        #expect(small.lines.allSatisfy { $0.count <= 20 } && small.lines.contains { $0.count == 20 })
        #expect(draw(20, 40).lines.count == 22)
        #expect(drawn.erasure(on: RedrawnText.Size(columns: 20, rows: 40)) == "\r\u{1B}[22A\u{1B}[J")
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
