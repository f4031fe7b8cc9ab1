import TestSupport
import Testing
import Timers

@testable import Records

@Suite("Counts as lines, which another process reads back")
struct CountLinesTests {
    private static let grouping = RecordGrouping(
        fields: [FieldPath(name: "total"), FieldPath(name: "a\"\\ü")],
        every: .seconds(60)
    )

    private func text(of counts: RecordCounts, _ grouping: RecordGrouping, gaps: [String] = []) -> String {
        CountLines(fields: grouping.fields.map(\.text), hasSpans: grouping.hasSpans)
            .framed(counts, gaps: gaps.map { ("journal", $0) })
    }

    private static func take(_ bytes: [UInt8], _ reader: inout CountLinesReader) throws(CountLinesReader.Fault) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(CountLinesReader.Fault) in
            try reader.take(UnsafeRawBufferPointer(bytes))
        }
    }

    /// - Parameter step: how many bytes come at once.
    private func read(
        _ text: String,
        _ grouping: RecordGrouping = CountLinesTests.grouping,
        step: Int = .max
    ) throws(CountLinesReader.Fault) -> (counts: RecordCounts, gaps: [String]) {
        var reader = CountLinesReader(grouping, of: "web-1")
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(step))
            rest = rest.dropFirst(part.count)
            try Self.take(part, &reader)
        }
        return try reader.end()
    }

    @Test(
        "all numbers, values, gaps and the records beyond the limit come back, in whatever pieces",
        arguments: [1, 7, .max]
    )
    func roundTrip(_ step: Int) throws {
        var counts = RecordCounts()
        let values = [nil, "", "null", "\"\\\n\r\t\u{0}\u{7F}\u{1B}[31m", "ü\u{202E}\u{1F600}", "{\"count\":1}"]
        for (index, value) in values.enumerated() {
            for time in [-120_000_000, 0, 1_700_000_040_000_000] as [RecordTime] {
                counts.add(index * 3 + 1, of: .init(time: time, values: [value, values[0]]))
            }
        }
        counts.add(1 << 60, of: .init(time: 0, values: ["many", "x"]))
        counts.addOthers(1 << 59)
        let (read, gaps) = try read(text(of: counts, Self.grouping, gaps: ["a\n\"b\"", "c"]), step: step)
        #expect(read.counts == counts.counts && read.total == counts.total && read.others == 1 << 59)
        #expect(gaps == ["a\n\"b\"", "c"])
    }

    @Test("counts without fields and spans, and of nothing")
    func plain() throws {
        let grouping = RecordGrouping()
        #expect(try read(text(of: RecordCounts(), grouping), grouping).counts.total == 0)
        var counts = RecordCounts()
        counts.add(3, of: .init(time: 0, values: []))
        #expect(text(of: counts, grouping) == "{\"counts\":1}\n{\"count\":3}\n{\"total\":3,\"others\":0}\n")
        #expect(try read(text(of: counts, grouping), grouping).counts.counts == counts.counts)
    }

    @Test("records before the first time of a calendar, or of a year below 1, come back")
    func beforeCalendar() throws {
        let calendar = try CalendarSchedule("2024-03-05 UTC")
        for grouping in [RecordGrouping(every: calendar), RecordGrouping(every: .seconds(100_000_000_000))] {
            var counts = RecordCounts()
            for time in [.min, -1, 1_709_596_800_000_000] as [Int64] {
                let time = RecordTime(microseconds: time)
                counts.add(Record(source: "a", time: time, sequence: 1, content: RecordFields()), in: grouping)
            }
            let text = text(of: counts, grouping)
            #expect(text.contains("{\"time\":\"0001-01-01T00:00:00.000000Z\",\"count\":2}\n"), "\(text)")
            #expect(try read(text, grouping).counts.counts == counts.counts)
        }
    }

    @Test("the source has its name here")
    func source() throws {
        let grouping = RecordGrouping(fields: [FieldPath(name: "source"), FieldPath(name: "unit")])
        var counts = RecordCounts()
        counts.add(2, of: .init(time: 0, values: ["journal", "source"]))
        let read = try read(text(of: counts, grouping), grouping).counts
        #expect(read.counts == [.init(time: 0, values: ["web-1", "source"]): 2])
    }

    @Test("of too many gaps, the number of the last ones is told")
    func manyGaps() throws {
        let gaps = (0..<2500).map { "gap \($0)" }
        let read = try read(text(of: RecordCounts(), RecordGrouping(), gaps: gaps), RecordGrouping()).gaps
        #expect(
            read.count == 1000 && read[998] == "gap 998" && read[999] == "1501 further gaps, the last one: gap 2499"
        )
    }

    @Test(
        "an answer that is wrong is refused, with the number of its line",
        arguments: [
            ("", 1, "too early"), ("{\"counts\":2}\n", 1, "header of version 1"), ("{\"counts\":1}", 1, "too early"),
            ("Welcome\n", 1, "no line of counts"), ("{\"count\":3}\n", 1, "header"), ("{}\n", 1, "no line of counts"),
            ("{\"counts\":1}\n", 2, "too early"), ("{\"counts\":1}\n{\"x\":1}\n", 2, "neither a group nor a gap"),
            ("{\"counts\":1}\n{\"x\":1,\"count\":1}\n", 2, "other fields"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"u\":\"b\",\"count\":1}\n", 2, "other fields"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"count\":0}\n", 2, "whole number"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"count\":-1}\n", 2, "whole number"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"count\":1.5}\n", 2, "whole number"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"count\":9223372036854775808}\n", 2, "whole number"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"count\":\"1\"}\n", 2, "whole number"),
            ("{\"counts\":1}\n{\"u\":1,\"count\":1}\n", 2, "neither text nor null"),
            ("{\"counts\":1}\n{\"u\":\"\\x\",\"count\":1}\n", 2, "neither text nor null"),
            ("{\"counts\":1}\n{\"u\":[],\"count\":1}\n", 2, "neither text nor null"),
            ("{\"counts\":1}\n{\"u\":[256],\"count\":1}\n", 2, "neither text nor null"),
            ("{\"counts\":1}\n{\"u\":[255],\"count\":1}\n", 2, "neither text nor null"),
            ("{\"counts\":1}\n{\"u\":[1,[2]],\"count\":1}\n", 2, "neither text nor null"),
            ("{\"counts\":1}\n{\"u\":\"a\",\"count\":1}]\n", 2, "no line of counts"),
            (
                "{\"counts\":1}\n{\"u\":\"a\",\"count\":9223372036854775807}\n{\"u\":\"b\",\"count\":1}\n", 3,
                "too large"
            ),
            ("{\"counts\":1}\n{\"total\":1,\"others\":0}\n", 2, "do not make the total of 1"),
            (
                "{\"counts\":1}\n{\"u\":\"a\",\"count\":1}\n{\"total\":1,\"others\":9223372036854775807}\n", 3,
                "do not make"
            ),
            ("{\"counts\":1}\n{\"total\":0,\"x\":0,\"others\":0}\n", 2, "trailer"),
            ("{\"counts\":1}\n{\"total\":0,\"others\":0}\n{\"u\":\"a\",\"count\":1}\n", 3, "behind the trailer"),
            ("{\"counts\":1}\n{\"total\":0,\"others\":0}\n\n", 3, "no line of counts"),
            ("{\"counts\":1}\n{\"gap\":1,\"message\":\"x\"}\n", 2, "no gap"),
        ]
    )
    func refusals(_ text: String, _ line: Int, _ reason: String) {
        do throws(CountLinesReader.Fault) {
            _ = try read(text, RecordGrouping(fields: [FieldPath(name: "u")]))
            Issue.record("it was read: \(text)")
        } catch {
            #expect(error.description.hasPrefix("line \(line): ") && error.description.contains(reason), "\(error)")
        }
    }

    @Test("a time that begins no span is refused")
    func times() {
        let grouping = RecordGrouping(every: .seconds(60))
        for time in ["null", "\"soon\"", "\"2026-11-23T21:00:01Z\"", "\"+99999-01-01T00:00:00Z\"", "0"] {
            #expect(throws: CountLinesReader.Fault.self, "\(time)") {
                try read("{\"counts\":1}\n{\"time\":\(time),\"count\":1}\n{\"total\":1,\"others\":0}\n", grouping)
            }
        }
    }

    @Test("an answer without an end is not read for ever: a line, all lines, groups and gaps are bounded")
    func endless() throws {
        func fault(_ head: String, endlessly part: (Int) -> String) -> String? {
            var reader = CountLinesReader(RecordGrouping(fields: [FieldPath(name: "u")]), of: "web-1")
            do throws(CountLinesReader.Fault) {
                try Self.take(Array(head.utf8), &reader)
                for index in 0..<200_000 { try Self.take(Array(part(index).utf8), &reader) }
            } catch {
                return error.description
            }
            return nil
        }
        let header = "{\"counts\":1}\n"
        let block = String(repeating: "x", count: 1 << 20)
        #expect(fault("", endlessly: { _ in block }) == "line 1: it is longer than 16 MiB")
        #expect(
            fault(header, endlessly: { _ in "{\"u\":null,\"count\":1}\n" })
                == "line 100002: there are more than 100000 groups"
        )
        let gap = "{\"gap\":true,\"message\":\"x\"}\n"
        #expect(fault(header, endlessly: { _ in gap }) == "line 1002: there are more than 1000 gaps")
        #expect(
            fault(header, endlessly: { _ in "{\"u\":\"\(block)\",\"count\":1}\n" })?.hasSuffix(
                "there are more than 64 MiB"
            ) == true
        )
    }

    @Test("parts add up, whatever their order, and a sum that is too large for a number changes nothing")
    func adding() {
        func counts(_ list: [(String?, Int)], others: Int = 0) -> RecordCounts {
            var counts = RecordCounts()
            for (value, count) in list { counts.add(count, of: .init(time: 0, values: [value])) }
            counts.addOthers(others)
            return counts
        }
        let parts = [counts([("a", 1), (nil, 2)]), counts([("a", 3), ("", 4)], others: 5), counts([])]
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var sum = RecordCounts()
            for index in order {
                let isAdded = sum.add(parts[index])
                #expect(isAdded)
            }
            let expected = counts([("a", 4), (nil, 2), ("", 4)], others: 5)
            #expect(sum.counts == expected.counts && sum.total == 15 && sum.others == 5)
        }
        var large = counts([("a", .max - 1)])
        let isTooLarge = !large.add(counts([("b", 2)]))
        #expect(isTooLarge && large.total == .max - 1 && large.counts.count == 1)
        let fits = large.add(counts([("b", 1)]))
        #expect(fits && large.total == .max)
    }
}
