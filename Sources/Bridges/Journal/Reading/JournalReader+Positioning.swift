import Glibc

extension JournalReader {
    /// Finds the place where reading begins.
    func position() throws(JournalError) {
        if terms.isNothing { return }
        isOnNext = false
        switch start {
        case .head: try require(handle?.seekHead())
        case .time(let time): try require(handle?.seek(time: time))
        case .cursor(let cursor):
            isOnNext = try position(after: cursor)
            resume.moved(to: cursor)
        case .tail(let count): try position(beforeLast: max(count, 0))
        }
    }

    /// Goes behind the entry with that cursor. Whether libsystemd then stands on an entry that is still to be read:
    /// seeking leads to the entry or the nearest one, and only a step and a comparison tell which.
    func position(after cursor: String) throws(JournalError) -> Bool {
        let result = handle?.seek(cursor: cursor) ?? -EBADF
        guard result >= 0 else {
            throw result == -EINVAL
                ? JournalError(
                    "continue after the cursor",
                    cursor,
                    reason: "it is not a cursor",
                    advice: "A cursor looks like s=…;i=…;b=…;m=…;t=…;x=…, as journalctl --show-cursor prints it.",
                    errno: EINVAL
                )
                : failure("seek in", -result)
        }
        guard try require(handle?.next()) > 0 else { return false }
        return handle?.isAt(cursor: cursor) == false
    }

    /// Goes to the entry from which on `count` match.
    private func position(beforeLast count: Int) throws(JournalError) {
        try require(handle?.seekTail())
        if count > 0, let condition = query.condition?.holds {
            try stepBack(over: count, condition)
            return
        }
        // With nothing there, the next step would lead to the last of the entries that come; from the head it leads to
        // the first.
        if try skipBack(over: max(count, 1)) == 0 {
            try require(handle?.seekHead())
        } else if count > 0 {
            isOnNext = true
        } else if let cursor = handle?.withCursor({ String(decoding: $0, as: UTF8.self) }) ?? nil {
            resume.moved(to: cursor)
        }
    }

    /// Goes back over `count` entries, or as many as there are; answers how many.
    private func skipBack(over count: Int) throws(JournalError) -> Int {
        var skipped = 0
        while skipped < count {
            // libsystemd refuses to skip more at once.
            let step = min(count - skipped, Int(CInt.max))
            let found = Int(try require(handle?.previous(skip: UInt64(step))))
            skipped += found
            if found < step { break }
        }
        return skipped
    }

    /// Goes back until enough entries matched the whole condition, of which the index knows only a part.
    private func stepBack(over count: Int, _ condition: (borrowing JournalRecord) -> Bool) throws(JournalError) {
        var missing = count
        var steps = 0
        while true {
            guard try require(handle?.previous()) > 0 else {
                try require(handle?.seekHead())
                return
            }
            steps += 1
            if steps % Self.batch == 0 { try letGoOfMemory() }
            guard handle?.realtime(&currentTime) ?? -EBADF >= 0 else { continue }
            if handle?.evaluate(condition, gatherer, currentTime) == true {
                missing -= 1
                if missing == 0 {
                    isOnNext = true
                    return
                }
            }
        }
    }

    /// While going back: opens the journal anew at the same entry if too much of it is held in memory.
    private func letGoOfMemory() throws(JournalError) {
        guard memory.hasGrown, let cursor = handle?.withCursor({ String(decoding: $0, as: UTF8.self) }) ?? nil else {
            return
        }
        try openFiles()
        memory.rebase()
        try require(handle?.seek(cursor: cursor))
        // Onto the entry itself; the next step back leads to the one before it.
        try require(handle?.next())
    }

    @discardableResult
    private func require(_ result: Int32?) throws(JournalError) -> Int32 {
        let result = result ?? -EBADF
        guard result >= 0 else { throw failure("seek in", -result) }
        return result
    }
}
