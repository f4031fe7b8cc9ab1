extension JournalFile {
    /// How often the whole file is searched if it is damaged anew each time.
    static let maxRepairs = 8
    /// How often a slot that is being written is read again. Writing it takes a processor less time than reading it once.
    static let maxRereads = 64

    /// The last number that was given to an entry of this file. If journald notices only while it writes an entry
    /// that the file is full, it writes the entry anew to the next file, under the next number.
    var lastGivenSequence: UInt64 {
        guard entries.isComplete, let fresh = freshHeader(), fresh.entryCount == header.entryCount,
            lastSequence < .max, fresh.tailSequence == lastSequence + 1
        else { return lastSequence }
        return fresh.tailSequence
    }

    /// Whether the next entry's number and that of the entry read before it contradict the order of the file: one of
    /// them is damaged, and does not tell whether the entry was read.
    func contradictsItself(_ direction: Direction) -> Bool {
        let last = place.lastSequence
        guard last > 0 else { return false }
        return direction == .forward ? place.key.entry.sequence <= last : place.key.entry.sequence >= last
    }

    /// Goes on where an entry cannot be read: it is read now, or the file is damaged.
    @inline(never)
    func takeBehindDamage(at index: Int, _ direction: Direction) -> Bool {
        let last = place.key.entry.offset
        var index = index
        var rereads = 0
        while true {
            // It may just have been written, or been written to since it was read.
            if refresh(force: true), index < count, let offset = offset(at: index),
                let entry = entry(at: offset, .stream), isInOrder(entry, index, direction)
            {
                return found(entry, index, direction)
            }
            // The writer counts an entry after it has written its slot, but this processor may see that earlier.
            if header.state == 1, direction == .forward, index == count - 1, entries.repairs == 0,
                rereads < Self.maxRereads, offset(at: index) == nil
            {
                rereads += 1
                continue
            }
            guard let next = repair(behind: last, direction) else { return passOver(index, direction) }
            index = next
            guard index >= 0, index < count else { return end(at: index) }
            if let offset = offset(at: index), let entry = entry(at: offset, .stream) {
                return found(entry, index, direction)
            }
        }
    }

    /// Searches the file for its remaining entries. Returns the index of the entry after the one at `last`, or before
    /// it; `nil` if that was done too often.
    private func repair(behind last: Int, _ direction: Direction) -> Int? {
        let unread = count + entries.unlisted - place.index - 1 + entries.losses.unreported
        guard repair() else { return nil }
        guard direction == .forward else { return (last > 0 ? self.index(from: last) : count) - 1 }
        let index = last > 0 ? self.index(from: last + 1) : 0
        entries.losses.limit(from: index, to: unread - (count - index))
        return index
    }

    /// Searches for entries that the file counts and its list does not lead to, when all others were read. The number of
    /// those that are gone is in ``FilePlace/lost``.
    func findUnlisted() {
        guard entries.unlisted > 0, case .end = place.state,
            header.state != 1 || incompleteRefreshes >= Self.maxRereads || isDeleted
        else { return }
        incompleteRefreshes = 0
        // All that are known so far were read or passed over.
        let last = min(max(place.key.entry.offset, count > 0 ? offset(at: count - 1) ?? 0 : 0), size)
        place.index = count - 1
        guard let index = repair(behind: last, .forward) else {
            place.lost += entries.giveUpUnlisted()
            return
        }
        place.index = index - 1
        place.state = .end(index)
        if index == count { _ = end(at: index) }
    }

    /// Skips an unreadable part where searching the file again would not end.
    private func passOver(_ start: Int, _ direction: Direction) -> Bool {
        let last = place.key.entry.offset
        var index = start
        while index >= 0, index < count {
            if let offset = offset(at: index), let entry = entry(at: offset, .stream),
                last == 0 || (direction == .forward ? offset > last : offset < last)
            {
                return found(entry, index, direction)
            }
            if direction == .forward { place.lost += 1 }
            index += direction == .forward ? 1 : -1
        }
        // It is passed over once.
        place.index = index - (direction == .forward ? 1 : 0)
        return end(at: index)
    }

    /// The first entry that is at `offset` or behind it. If slots on the way are not in order, the file is repaired first.
    func index(from offset: Int) -> Int {
        if let index = entries.index(from: offset, self) { return index }
        if repair(), let index = entries.index(from: offset, self) { return index }
        return (0..<count).first { self.offset(at: $0) ?? .max >= offset } ?? count
    }

    /// Searches a damaged file for its remaining entries; returns false if that was done too often.
    func repair() -> Bool {
        guard entries.repairs < Self.maxRepairs else { return false }
        repairEntries()
        return true
    }
}
