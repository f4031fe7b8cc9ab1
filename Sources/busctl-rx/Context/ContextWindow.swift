import Bus
import RecordSources
import Records

/// Sends each match with so many records before it, and then so many after it; none of them twice. Gaps are sent at once.
///
/// After the last wanted match it sends the records behind that one, and ends.
struct ContextWindow: Transducer {
    typealias Input = Record
    typealias InputFailure = SourceFailure
    typealias Output = ContextBlock
    typealias Failure = SourceFailure

    private let before: Int
    private let after: Int
    private let isMatch: @Sendable (Record) -> Bool
    /// How many matches are still wanted.
    private var wanted: Int
    /// How many of the next records are shown whatever they are.
    private var following = 0
    private var kept: NewestKept<Record>
    /// Blocks wait to be written, so that fewer bytes go into one.
    private static let maxBytes = 16 << 20
    private var hasShown = false
    /// Whether a record was left out since the last that was shown.
    private var hasLeftOut = false

    /// - Parameter matches: how many matches are wanted.
    init(before: Int, after: Int, matches: Int? = nil, isMatch: @escaping @Sendable (Record) -> Bool) {
        self.before = before
        self.after = after
        self.isMatch = isMatch
        kept = NewestKept(maxCount: before, maxBytes: Self.maxBytes)
        wanted = matches ?? .max
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ record: Record,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == ContextBlock, Downstream.Failure == SourceFailure {
        guard let block = block(for: record) else { return downstream.demand }
        let answer = downstream.next(block)
        return demand == .stop ? .stop : answer
    }

    var demand: Demand { wanted <= 0 && following == 0 ? .stop : .more }

    private mutating func block(for record: Record) -> ContextBlock? {
        guard record.kind == .event else { return ContextBlock(records: [record], isApart: false) }
        if wanted > 0, isMatch(record) {
            wanted -= 1
            following = after
            let leftOut = kept.leftOut
            var records = kept.removeAll() + [record]
            if leftOut > 0 {
                records.insert(.leftOut(leftOut, before: records[0], maxBytes: Self.maxBytes), at: 0)
            }
            return shown(records)
        }
        if following > 0 {
            following -= 1
            return shown([record])
        }
        if kept.append(record, byteCount: record.content.footprint) { hasLeftOut = true }
        return nil
    }

    private mutating func shown(_ records: [Record]) -> ContextBlock {
        defer { (hasShown, hasLeftOut) = (true, false) }
        return ContextBlock(records: records, isApart: hasShown && hasLeftOut)
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<SourceFailure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == ContextBlock, Downstream.Failure == SourceFailure {
        downstream.terminate(demand == .stop ? .completed : termination)
    }

    var name: String { "context" }
}
