extension JournalFile {
    /// Goes to the entry after the one at ``place``. Returns whether there is one.
    @inline(__always)
    func step(_ direction: Direction) -> Bool {
        if place.hasIndexScan, let indexScan {
            if direction == .backward, place.index > place.coveredCount { return take(at: place.index &- 1, direction) }
            let last = place.key.entry.offset
            return take(indexScan, from: direction == .forward ? last + 1 : last - 1, direction)
        }
        if place.hasValueScan, let valueScan, direction == .forward || place.index <= place.coveredCount {
            return search(valueScan, direction)
        }
        return take(at: direction == .forward ? place.index &+ 1 : place.index &- 1, direction)
    }

    /// Goes to the next entry if it can be read and comes before those of other files; changes nothing otherwise.
    @inline(__always)
    func stepAhead(before steps: UnsafeMutablePointer<ReadingAhead>) -> Bool {
        let index = place.index &+ 1
        let last = place.key.entry
        guard index < count, index < readLimit, index < bounds.upperBound, let offset = heldOffset(at: index),
            offset >= last.offset &+ last.size,
            index &+ 1 >= count || heldOffset(at: index &+ 1) ?? 0 > offset,
            let entry = entry(at: offset, .stream),
            entry.sequence > last.sequence, entry.sequence < steps.pointee.nextOfOthers
        else { return false }
        place.index = index
        place.key.entry = entry
        place.lastSequence = entry.sequence
        steps.pointee.last.entry = entry
        return true
    }

    /// Reads the header again if it was read while it was being written, and counts entries that its list does not lead to.
    func readWholeHeader() {
        for _ in 0..<Self.maxRereads where header.state == 1 && !entries.isComplete { refresh(force: true) }
    }

    /// Finds the entry from which a location reads on. Whether there is one.
    func locate(_ location: MergedJournal.Location, _ direction: Direction) -> Bool {
        for _ in 0...Self.maxRepairs {
            if case .known(let found) = index(of: location, direction) {
                let wanted = wanted
                let index =
                    direction == .forward ? max(found, bounds.lowerBound) : min(found, bounds.upperBound - 1)
                guard indexScan != nil || valueScan != nil, !wanted.isEmpty else { return take(at: index, direction) }
                // Before the first or behind the last entry there is nothing to be found in that direction.
                if !wanted.contains(index), (index < wanted.lowerBound) == (direction == .backward) { return end() }
                let bound = min(max(index, wanted.lowerBound), wanted.upperBound - 1)
                if let valueScan { return begin(valueScan, at: bound, direction) }
                guard let indexScan else { return take(at: index, direction) }
                if bound >= place.coveredCount { return take(at: bound, direction) }
                if let entry = entries.entry(at: bound, self) {
                    return take(indexScan, from: entry.offset, direction)
                }
            }
            guard repair() else { return end() }
        }
        return end()
    }

    /// From here on all entries are read, beginning with that index.
    func readOn(from index: Int) {
        indexScan = nil
        valueScan = nil
        place.index = index - 1
    }

    private enum Found {
        case known(Int)
        /// An entry on the way could not be read.
        case damaged

        init(_ index: Int?) { self = index.map { .known($0) } ?? .damaged }
    }

    /// The index of the first entry that is at the location or behind it; going back, of the last one there or before it.
    private func index(of location: MergedJournal.Location, _ direction: Direction) -> Found {
        switch location {
        case .head: return .known(0)
        case .tail: return .known(count - 1)
        case .at(let key): return index(of: SeekPoint(key), direction)
        case .seek(let point): return index(of: point, direction)
        }
    }

    private func index(of point: SeekPoint, _ direction: Direction) -> Found {
        if point.sequenceID == header.sequenceID, let sequence = point.sequence {
            // Behind the last entry nothing has to be searched for, as where following begins.
            if let tail = tailSequence, sequence > tail {
                return .known(direction == .forward ? count : count - 1)
            }
            return search(direction) {
                $0.sequence < sequence
            } isBehind: {
                $0.sequence > sequence
            }
        }
        if let boot = point.boot, let monotonic = point.monotonic,
            let found = index(of: boot, monotonic, direction)
        {
            return found
        }
        if let realtime = point.realtime {
            return search(direction) {
                $0.realtime < realtime
            } isBehind: {
                $0.realtime > realtime
            }
        }
        return .known(direction == .forward ? 0 : count - 1)
    }

    /// Whether the file has the same entry under another number. Times that go back in the file may hide it.
    func hasCopy(of key: EntryKey) -> Bool {
        let time = key.entry.realtime
        guard count > 0, time >= header.headRealtime, time <= header.tailRealtime,
            case .known(var index) = index(of: SeekPoint(realtime: time), .forward)
        else { return false }
        while index < count, let offset = offset(at: index), let entry = entry(at: offset, .spot),
            entry.realtime == time
        {
            if EntryKey(sequenceID: header.sequenceID, entry: entry).compare(key) == 0 { return true }
            index += 1
        }
        return false
    }

    private func search(
        _ direction: Direction,
        isBefore: (EntryRef) -> Bool,
        isBehind: (EntryRef) -> Bool
    ) -> Found {
        if direction == .forward { return Found(entries.firstIndex(self) { !isBefore($0) }) }
        return Found(entries.firstIndex(self, where: isBehind).map { $0 - 1 })
    }

    /// By the time since a boot; `nil` where the file has no entry of that boot at that time or behind it, or its index is damaged.
    private func index(of boot: ID128, _ monotonic: UInt64, _ direction: Direction) -> Found? {
        let line = Array("_BOOT_ID=\(boot.text)".utf8)
        guard case .found(let data) = line.withUnsafeBytes({ find($0) }), let postings = Postings(self, data: data),
            !postings.isDamaged
        else { return nil }
        let first = postings.firstIndex { direction == .forward ? $0.monotonic >= monotonic : $0.monotonic > monotonic }
        guard let first else { return nil }
        let position = direction == .forward ? first : first - 1
        guard position >= 0, position < postings.count else { return nil }
        return postings.offset(at: position).map { Found(entries.index(from: $0, self)) }
    }

    /// Takes the entry with that index as the next one. If it cannot be read the file is damaged, and its remaining
    /// entries are searched for.
    @inline(__always)
    private func take(at index: Int, _ direction: Direction) -> Bool {
        guard index < count, bounds.contains(index) else { return end(at: index) }
        if let offset = offset(at: index), let entry = entry(at: offset, .stream),
            isInOrder(entry, index, direction)
        {
            return found(entry, index, direction)
        }
        return takeBehindDamage(at: index, direction)
    }

    /// Entries lie in a file in the order of writing, and do not overlap.
    @inline(__always)
    func isInOrder(_ entry: EntryRef, _ index: Int, _ direction: Direction) -> Bool {
        let last = place.key.entry.offset
        if last == 0 { return entries.orderedOffset(at: index, self) != nil }
        // Only a step to a neighbor can tell. A slot that leads too far is detected by the one behind it.
        if direction == .forward {
            return index != place.index &+ 1
                || entry.offset >= last &+ place.key.entry.size
                    && (index &+ 1 >= count || offset(at: index &+ 1) ?? .max > entry.offset)
        }
        return index != place.index &- 1
            || entry.offset &+ min(entry.size, entries.limit(ofEntryAt: index)) <= last
                && (index == 0 || offset(at: index &- 1) ?? 0 < entry.offset)
    }

    /// Takes the first entry that the index finds from that place on. Where the index is damaged, all entries are read from there.
    @inline(__always)
    private func take(_ indexScan: IndexScan, from start: Int, _ direction: Direction) -> Bool {
        let offset = indexScan.next(from: start, direction)
        // One out of bounds is read, too: a wrong place may lead there.
        if let offset, indexScan.confirms(offset), let entry = entry(at: offset, place.access),
            !isWithinBounds(offset) || isApart(entry, direction)
        {
            return isWithinBounds(offset) ? found(entry, -1, direction) : endScan(direction)
        }
        if offset == nil, !indexScan.isDamaged { return endScan(direction) }
        self.indexScan = nil
        let index = self.index(from: direction == .forward ? start : start + 1)
        place.index = direction == .forward ? index - 1 : index
        return take(at: direction == .forward ? index : index - 1, direction)
    }

    /// The index finds no more entries. Those that it does not cover follow.
    private func endScan(_ direction: Direction) -> Bool {
        guard direction == .forward, place.coveredCount < wanted.upperBound else { return end() }
        // If reading began behind the entries that the scan covers, it does not go back to them.
        let last = place.key.entry.offset
        let next = last > 0 ? index(from: last + 1) : 0
        // Unless the file was repaired on the way, which renumbers its entries.
        readOn(from: indexScan == nil ? next : max(place.coveredCount, next))
        return take(at: place.index + 1, direction)
    }

    // MARK: Searching values

    /// Begins the search at an entry. If only little of the file would be read, all of that is read.
    private func begin(_ valueScan: ValueScan, at index: Int, _ direction: Direction) -> Bool {
        let share = direction == .forward ? place.coveredCount - index : index - bounds.lowerBound
        guard share > place.coveredCount / 2,
            let entry = entries.entry(at: min(index, place.coveredCount), self)
        else {
            self.valueScan = nil
            return take(at: index, direction)
        }
        valueScan.restart()
        if index >= place.coveredCount {
            place.searchFrom = entry.offset - 1
            return take(at: index, direction)
        }
        place.searchFrom = entry.offset
        place.key.entry = entry
        place.key.sequenceID = header.sequenceID
        return search(valueScan, direction)
    }

    /// Goes on with the search. It may only have come closer to the next entry, see ``FilePlace/State/ahead``.
    private func search(_ valueScan: ValueScan, _ direction: Direction) -> Bool {
        switch valueScan.next(from: place.searchFrom, direction) {
        case .entry(let offset):
            // Going back. On the way forward the search begins and ends with the bounds.
            guard isWithinBounds(offset) else { return end() }
            guard let entry = entry(at: offset, .stream) else { return readAll(direction) }
            place.searchFrom = direction == .forward ? offset + 1 : offset - 1
            return found(entry, -1, direction)
        case .later:
            if direction == .forward, valueScan.lastEntry >= place.searchFrom,
                let entry = entry(at: valueScan.lastEntry, .stream)
            {
                place.searchFrom = valueScan.lastEntry + 1
                place.key.entry = entry
            }
            place.state = .ahead
            return true
        case .none:
            guard direction == .forward else { return end() }
            place.searchFrom = max(place.searchFrom, offset(at: place.coveredCount) ?? 0)
            return readAll(direction)
        case .useless: return readAll(direction)
        }
    }

    /// Gives up the search, and reads all entries from where it has come to.
    private func readAll(_ direction: Direction) -> Bool {
        valueScan = nil
        let last = place.key.entry.offset
        // The entry may be the first one to read.
        if direction == .forward ? last >= place.searchFrom : last <= place.searchFrom { place.key.entry.offset = 0 }
        let index = self.index(from: direction == .forward ? place.searchFrom : place.searchFrom + 1)
        place.index = direction == .forward ? index - 1 : index
        return take(at: direction == .forward ? index : index - 1, direction)
    }

    /// Whether the entry and the last one do not overlap.
    @inline(__always)
    private func isApart(_ entry: EntryRef, _ direction: Direction) -> Bool {
        let last = place.key.entry
        if last.offset == 0 { return true }
        return direction == .forward
            ? entry.offset >= last.offset &+ last.size : entry.offset &+ entry.size <= last.offset
    }

    @inline(__always)
    func found(_ entry: EntryRef, _ index: Int, _ direction: Direction) -> Bool {
        // Going back, they are yet to come: they are reported on the way forward.
        if !entries.losses.isEmpty, direction == .forward { place.lost += entries.losses.take(before: index) }
        place.index = index
        place.key.entry = entry
        // A size that cannot be true leads into the next entry.
        place.key.entry.size = min(entry.size, entries.limit(ofEntryAt: index))
        place.key.sequenceID = header.sequenceID
        place.state = .found
        return true
    }

    func end(at index: Int? = nil) -> Bool {
        if let index, index >= count, !entries.losses.isEmpty {
            place.lost += entries.losses.take(before: count)
        }
        place.state = .end(count)
        place.ended = count
        return false
    }
}
