extension JournalReader {
    /// Finds the place where the way back begins.
    func position(_ retreat: JournalRetreat) throws(JournalError) {
        // What the query leaves out need not be searched for.
        if let since = retreat.since, query.window.first < since {
            journal.seek(realtime: since)
            isBack = !journal.next()
            lastOnTheWay = (journal.key, since)
        }
        switch retreat.start {
        case .tail: journal.seekTail()
        case .time(let time) where query.window.last <= time: journal.seekTail()
        case .time(let time): journal.seek(realtime: time)
        case .cursor(let cursor):
            try seek(to: cursor)
            // Goes to the entry, or to the one before it if it is gone.
            if journal.previous() { isOnNext = !journal.test(cursor: cursor) }
        }
    }

    /// Goes back to a matching entry, over some hundred entries at most.
    func walkBack() -> Step {
        if isBack { return .end }
        var steps = Self.batch
        while steps > 0 {
            let isThere = isOnNext || journal.move(.backward)
            isOnNext = false
            if !isThere, journal.isSearching {
                steps -= Self.stepsPerSearch
                continue
            }
            steps -= 1
            if isThere { journal.tellLossesBehind() } else { journal.tellLosses() }
            if journal.hasGaps {
                isOnNext = isThere
                return gap()
            }
            guard isThere else { return .end }
            passed += 1
            if passed == Self.passedBeforeSearch { journal.searchValues() }
            isBack = isAtLast
            if query.condition.map({ journal.evaluate($0.holds, gatherer) }) ?? true { return found() }
            if isBack { return .end }
        }
        return .busy
    }

    /// Whether no wanted entry lies before the current one. A clock that was set back does not end the way.
    private var isAtLast: Bool {
        guard let (key, since) = lastOnTheWay else { return false }
        let order = journal.key.compare(key)
        return order == 0 || order < 0 && journal.realtime < since
    }
}
