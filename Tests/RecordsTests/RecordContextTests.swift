import Bus
import BusTesting
import TestSupport
import Testing

@testable import Records

@Suite("The context of a match")
struct ContextWindowTests {
    /// What is shown of the numbers up to `matches.count`. `nil` marks a gap.
    private static func model(_ matches: [Bool], before: Int, after: Int, limit: Int?) -> [Int?] {
        let chosen = matches.indices.filter { matches[$0] }.prefix(limit ?? .max)
        var shown = Set(chosen.flatMap { max(0, $0 - before)...min(matches.count - 1, $0 + after) })
        // After the last wanted match nothing is a match any more, so nothing has context before it.
        if let last = chosen.last, chosen.count == limit { shown = shown.filter { $0 <= last + after } }
        var result: [Int?] = []
        for index in shown.sorted() {
            if let last = result.last, last != index - 1 { result.append(nil) }
            result.append(index)
        }
        return result
    }

    @Test func agreesWithAPlainModel() {
        var random = SeededGenerator(1)
        for _ in 0..<2000 {
            let matches = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                Int.random(in: 0..<5, using: &random) == 0
            }
            let (before, after) = (Int.random(in: 0...4, using: &random), Int.random(in: 0...4, using: &random))
            let limit = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
            let records = matches.indices.map {
                Record(
                    source: "x",
                    time: RecordTime(microseconds: Int64($0)),
                    sequence: UInt64($0),
                    content: RecordFields(message: "")
                )
            }
            let recorder = Recorder(
                Signals.from(records).context(before: before, after: after, matches: limit) {
                    matches[Int($0.time.microseconds)]
                }
            )
            let shown = recorder.values.flatMap { block -> [Int?] in
                (block.isApart ? [nil] : []) + block.records.map { Int($0.time.microseconds) }
            }
            #expect(shown == Self.model(matches, before: before, after: after, limit: limit))
            #expect(recorder.hasEnded && recorder.violations == [])
        }
    }
}

extension ContextWindowTests {
    @Test("the delivery contract")
    func contract() {
        let check = ContractCheck("context") { sources in
            sources[0].map {
                Record(source: "a", time: RecordTime(microseconds: Int64($0)), sequence: 1, content: RecordFields())
            }
            .context(before: 1, after: 1) { $0.time >= 0 }
            .map { Int($0.records.last?.time.microseconds ?? 0) }
        }
        #expect(check.violations() == [])
    }

    @Test("a gap is sent at once, and is neither a match nor one of the records beside it")
    func gaps() {
        func record(_ time: Int64) -> Record {
            Record(source: "a", time: RecordTime(microseconds: time), sequence: 1, content: RecordFields())
        }
        let gap = Record.gap(lost: 3, source: "a", time: 2, sequence: 1, message: "")
        let blocks = Recorder(
            Signals.from([record(1), gap, record(3), record(4), gap, record(5), record(6)])
                .context(before: 2, after: 1) { $0.time == 4 }
        ).values
        #expect(blocks.map { $0.records.map(\.time) } == [[2], [1, 3, 4], [2], [5]])
        #expect(blocks.allSatisfy { !$0.isApart })
    }
}

@Suite("Records that are kept for later")
struct KeptRecordsTests {
    /// Records of 8 MiB each; their numbers are their times.
    private static let records = (0..<100).map {
        Record(
            source: "x",
            time: RecordTime(microseconds: Int64($0)),
            sequence: UInt64($0),
            content: SizedContent(footprint: 8 << 20)
        )
    }

    private static func text(_ record: Record) -> String {
        if case .gap(let lost) = record.kind { return "\(lost ?? 0) missing" }
        return "\(record.time.microseconds)"
    }

    @Test("before a match, no more than 16 MiB are kept, and a gap says how many are left out")
    func context() {
        let recorder = Recorder(Signals.from(Self.records).context(before: 10, after: 0) { $0.time == 50 })
        #expect(recorder.values.flatMap { $0.records.map(Self.text) } == ["8 missing", "48", "49", "50"])
    }

    @Test("one record is kept however large it is, and small ones up to their number")
    func numbers() {
        var kept = NewestKept<Int>(maxCount: 3, maxBytes: 10)
        for number in 0..<5 { kept.append(number, byteCount: 3) }
        #expect(kept.leftOut == 0)
        kept.append(5, byteCount: 100)
        #expect((kept.count, kept.leftOut) == (1, 2))
        kept.append(6, byteCount: 1)
        #expect((kept.count, kept.leftOut) == (1, 2))
        kept.append(7, byteCount: 1)
        kept.append(8, byteCount: 1)
        #expect((kept.count, kept.leftOut) == (3, 0))
        #expect(kept.removeAll() == [6, 7, 8])
        #expect(kept.isEmpty)
    }
}
