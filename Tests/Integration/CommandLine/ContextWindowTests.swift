import Bus
import BusTesting
import Records
import TestSupport
import Testing

@testable import busctl_rx

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
            let window = ContextWindow(before: before, after: after, matches: limit) { matches[Int($0.time)] }
            let records = matches.indices.map {
                Record(source: "x", time: Int64($0), sequence: UInt64($0), content: RecordFields(message: ""))
            }
            let recorder = Recorder(
                Signals.from(records).promoteFailure(to: TailFailure.self).transduced(by: window)
            )
            let shown = recorder.values.flatMap { block -> [Int?] in
                (block.isApart ? [nil] : []) + block.records.map { Int($0.time) }
            }
            #expect(shown == Self.model(matches, before: before, after: after, limit: limit))
            #expect(recorder.hasEnded && recorder.violations == [])
        }
    }
}
