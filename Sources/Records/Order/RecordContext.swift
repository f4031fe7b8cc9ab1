public import Bus

/// Records that are shown together: a match with the records before it, or one that follows a match.
public struct RecordBlock: Sendable {
    /// At least one, in the source's order. Gaps are records, too.
    public let records: [Record]
    /// Whether records between this and the block before it were left out.
    public let isApart: Bool

    init(_ records: [Record], isApart: Bool = false) {
        self.records = records
        self.isApart = isApart
    }
}

extension Signal where Value == Record {
    /// Each match with so many records before it, and so many after it; none of them twice. As grep's `-B` and `-A` do.
    ///
    /// ```
    /// records         --1--2--3--M--5--6--7--8--M--|      M matches
    /// context(1, 1)   -----------[3 M]--[5]-----[8 M]--|  the last is apart: 6 and 7 are left out
    /// ```
    ///
    /// ```swift
    /// import Bus
    /// import Records
    /// import RecordSources
    ///
    /// let log = try Signals.records(from: "logfmt:/var/log/app.log")
    /// let subscription = log.context(before: 3, after: 1) { ($0.severity ?? .info) <= .error }.subscribe(
    ///     next: { block in
    ///         if block.isApart { print("--") }
    ///         for record in block.records { print(record.message ?? "") }
    ///     },
    ///     failed: { print($0) }
    /// )
    /// subscription.dispose()
    /// ```
    ///
    /// Gaps are no matches, are not counted, and are sent at once.
    ///
    /// - Ends: with the source, or behind the records after the last match that is wanted.
    /// - Buffers: the `before` newest records that were not sent, and at most 16 MiB of them. A gap before the match says how many had to go.
    ///
    /// - Parameters:
    ///   - before: how many records before a match are sent.
    ///   - after: how many records after it are sent.
    ///   - matches: after how many matches it ends; `nil` for no end.
    ///   - isMatch: called with each record that may begin a block, on the source's thread.
    public consuming func context(
        before: Int,
        after: Int,
        matches: Int? = nil,
        where isMatch: @escaping @Sendable (Record) -> Bool
    ) -> some Signal<RecordBlock, Failure> {
        transduced(by: ContextWindow<Failure>(before: before, after: after, matches: matches, isMatch: isMatch))
    }
}

private struct ContextWindow<Failure: Error>: Transducer {
    typealias Input = Record
    typealias InputFailure = Failure
    typealias Output = RecordBlock

    private let after: Int
    private let isMatch: @Sendable (Record) -> Bool
    /// How many matches are still wanted.
    private var wanted: Int
    /// How many of the next records are sent whatever they are.
    private var following = 0
    private var kept: NewestKept<Record>
    /// Blocks wait to be written, so that fewer bytes go into one than may be kept elsewhere.
    private static var maxBytes: Int { 16 << 20 }
    private var hasSent = false
    /// Whether a record was left out since the last that was sent.
    private var hasLeftOut = false

    init(before: Int, after: Int, matches: Int?, isMatch: @escaping @Sendable (Record) -> Bool) {
        self.after = after
        self.isMatch = isMatch
        kept = NewestKept(maxCount: before, maxBytes: Self.maxBytes)
        wanted = matches ?? .max
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ record: Record,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == RecordBlock, Downstream.Failure == Failure {
        guard let block = block(for: record) else { return downstream.demand }
        let answer = downstream.next(block)
        return demand == .stop ? .stop : answer
    }

    var demand: Demand { wanted <= 0 && following == 0 ? .stop : .more }

    private mutating func block(for record: Record) -> RecordBlock? {
        guard record.kind == .event else { return RecordBlock([record]) }
        if wanted > 0, isMatch(record) {
            wanted -= 1
            following = max(0, after)
            let leftOut = kept.leftOut
            var records = kept.removeAll() + [record]
            if leftOut > 0 {
                records.insert(.leftOut(leftOut, before: records[0], maxBytes: Self.maxBytes), at: 0)
            }
            return sent(records)
        }
        if following > 0 {
            following -= 1
            return sent([record])
        }
        if kept.append(record, byteCount: record.content.footprint) { hasLeftOut = true }
        return nil
    }

    private mutating func sent(_ records: [Record]) -> RecordBlock {
        defer { (hasSent, hasLeftOut) = (true, false) }
        return RecordBlock(records, isApart: hasSent && hasLeftOut)
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<Failure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == RecordBlock, Downstream.Failure == Failure {
        downstream.terminate(demand == .stop ? .completed : termination)
    }

    var name: String { "context" }
}
