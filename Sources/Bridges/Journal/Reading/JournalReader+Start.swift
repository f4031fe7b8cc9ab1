import Records
import Glibc

extension JournalReader {
    /// Finds the place where reading begins.
    func position(_ start: JournalStart) throws(JournalError) {
        switch start {
        case .head: journal.seekHead()
        // What the query leaves out need not be searched for.
        case .time(let time) where query.window.first >= UInt64(clamping: time.microseconds): journal.seekHead()
        case .time(let time): journal.seek(realtime: UInt64(clamping: time.microseconds))
        case .cursor(let cursor):
            if let place = journal.placeBehindLost(cursor) {
                gaps.append(JournalGap(.forgotten))
                return journal.seek(.seek(place))
            }
            try seek(to: cursor)
            // Onto the entry, or the nearest one if it is gone.
            if journal.next() { isOnNext = !journal.test(cursor: cursor) }
        case .tail(let count): position(beforeLast: max(count, 0))
        }
    }

    func seek(to cursor: String) throws(JournalError) {
        guard !journal.seek(cursor: cursor) else { return }
        throw JournalError(
            "continue after the cursor",
            cursor,
            reason: "it is not a cursor",
            advice: "A cursor looks like s=…;i=…;b=…;m=…;t=…;x=…, as journalctl --show-cursor prints it.",
            errno: EINVAL
        )
    }

    /// Begins to search for the entry from which on `count` match, going back from the newest one.
    private func position(beforeLast count: Int) {
        journal.seekTail()
        guard journal.previous() else {
            // If there is nothing, reading begins with the first entry that comes.
            journal.seekHead()
            return
        }
        missing = count
        if count <= Self.maxBookmarks { tail = journal.end }
        isOnNext = true
        if count == 0 { isOnNext = false }
    }

    /// Goes back over some hundred entries.
    func stepBack() {
        var steps = Self.batch
        while steps > 0 {
            let isThere = isOnNext || journal.move(.backward)
            if !isThere, journal.isSearching {
                steps -= Self.stepsPerSearch
                continue
            }
            steps -= 1
            passed += 1
            if passed == Self.passedBeforeSearch { journal.searchValues() }
            guard isThere else {
                missing = 0
                if tail == nil { journal.seekHead() }
                return
            }
            isOnNext = false
            if let condition = query.condition, !journal.evaluate(condition.holds, gatherer) { continue }
            missing -= 1
            if tail != nil, let bookmark = journal.bookmark { lastMatches.append(bookmark) }
            if missing == 0 {
                isOnNext = tail == nil
                return
            }
        }
    }
}
