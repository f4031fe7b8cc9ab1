/// One run of a unit, from its start to its end, as far as a journal has entries of it.
package struct UnitInvocation: Sendable, Hashable {
    /// 32 hexadecimal digits.
    package let id: String
    /// The boot in which it was, as 32 hexadecimal digits.
    package let boot: String
    /// When its first and its last entry were received, in microseconds since 1970.
    package private(set) var first: UInt64
    package private(set) var last: UInt64

    /// The invocations of a unit, in the order of their first entries.
    ///
    /// It opens the journal's files and asks their indexes. If an index cannot be used, all entries of the file are
    /// read.
    ///
    /// - Parameter report: called with what is missing, because a file cannot be read or is damaged.
    /// - Throws: where nothing at all can be read.
    package static func all(
        of unit: InvokedUnit,
        in source: JournalSource,
        reporting report: (JournalGap) -> Void = { _ in }
    ) throws(JournalError) -> [UnitInvocation] {
        let journal = try ListedJournal(source)
        let traces = InvocationTrace.all(of: unit)
        var found: [ID128: UnitInvocation] = [:]
        var order = PeriodOrder()
        for file in journal.files {
            func note(_ id: ID128, _ entry: EntryRef) {
                order.note(id, entry, in: file)
                Self.note(id, entry, &found)
            }
            // The last entry may not be in the lists of its values yet.
            let isWhole =
                traces.allSatisfy { file.forEachInvocation($0, note) } && file.forEachInvocationOfLast(traces, note)
            if isWhole { continue }
            journal.forEachEntry(of: file) { journal in
                var lines: [[UInt8]] = []
                journal.forEachField { line in
                    lines.append(Array(line))
                    return true
                }
                for id in traces.flatMap({ $0.ids(in: lines) }) { note(id, journal.entry) }
            }
        }
        journal.gaps.forEach(report)
        return order.ids.compactMap { found[$0] }
    }

    private static func note(_ id: ID128, _ entry: EntryRef, _ found: inout [ID128: UnitInvocation]) {
        let time = entry.realtime
        var invocation =
            found[id] ?? UnitInvocation(id: id.text, boot: entry.boot.text, first: time, last: time)
        invocation.first = min(invocation.first, time)
        invocation.last = max(invocation.last, time)
        found[id] = invocation
    }
}

extension JournalFile {
    /// More ids than these in one file are not looked up.
    private static let maxInvocations = 65_536

    /// Calls `body` with the first and the last entry of each invocation. Returns false where the index cannot tell.
    fileprivate func forEachInvocation(_ trace: InvocationTrace, _ body: (ID128, EntryRef) -> Void) -> Bool {
        guard isIntact, hasWorkingIndex else { return count == 0 }
        var conditions: [UInt64] = []
        for line in trace.conditions {
            switch line.withUnsafeBytes({ find($0) }) {
            case .found(let place): conditions.append(UInt64(place))
            case .absent: return true
            case .damaged: return false
            }
        }
        guard let values = values(of: trace.field, limit: Self.maxInvocations) else { return false }
        return forEachList(of: values) { postings in
            guard let line = payload(at: postings.data, .spot) else { return false }
            guard let id = trace.id(in: line) else { return true }
            return forEnds(of: postings, with: conditions) { body(id, $0) }
        }
    }

    /// Calls `body` with the first and the last entry of a list that have some fields, by their places. Answers false if one on the
    /// way cannot be read.
    private func forEnds(of postings: Postings, with fields: [UInt64], _ body: (EntryRef) -> Void) -> Bool {
        let isWanted: (Int) -> Bool? = { [self] index in
            postings.offset(at: index).flatMap { offset in
                withItems(ofEntryAt: offset, place.access) { items in
                    items.contains(UInt64(postings.data)) ? fields.allSatisfy(items.contains) : nil
                } ?? nil
            }
        }
        let positions = 0..<postings.count
        guard let first = positions.first(where: { isWanted($0) != false }) else { return true }
        let last = positions.last { isWanted($0) != false } ?? first
        return [first, last].allSatisfy { index in
            guard isWanted(index) == true, let offset = postings.offset(at: index),
                let entry = entry(at: offset, .spot)
            else { return false }
            body(entry)
            return true
        }
    }

    /// Calls `body` with the invocations of the last entry. Returns false where it cannot be read.
    fileprivate func forEachInvocationOfLast(_ traces: [InvocationTrace], _ body: (ID128, EntryRef) -> Void) -> Bool {
        if count == 0 { return true }
        guard let offset = offset(at: count - 1), let entry = entry(at: offset, .stream) else { return false }
        var lines: [[UInt8]] = []
        let unreadable = forEachField(of: entry, .stream) { line, _ in
            lines.append(Array(line))
            return true
        }
        for id in traces.flatMap({ $0.ids(in: lines) }) { body(id, entry) }
        return unreadable == 0
    }
}
