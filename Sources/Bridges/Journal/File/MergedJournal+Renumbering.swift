extension MergedJournal {
    /// From where to read on behind an entry that is not there any more, because a power cut took it before it was on the disk; `nil`
    /// where its number tells the place.
    ///
    /// journald goes on counting behind the last entry that it finds. The numbers of lost entries are given again, to entries of a
    /// later boot, which would be passed over if the number were looked for.
    func placeBehindLost(_ cursor: String) -> SeekPoint? {
        guard let point = SeekPoint(cursor: cursor), let source = point.sequenceID, let number = point.sequence,
            let boot = point.boot
        else { return nil }
        var last: EntryRef?
        var next: EntryRef?
        let own = files.filter { $0.header.sequenceID == source }
        for file in own {
            guard let index = file.entries.firstIndex(file, where: { $0.sequence >= number }) else { continue }
            if let found = file.listed(index) {
                if point.isMet(by: EntryKey(sequenceID: source, entry: found)) { return nil }
                if next.map({ found.sequence < $0.sequence }) ?? true { next = found }
            }
            if let found = file.listed(index - 1), last.map({ found.sequence > $0.sequence }) ?? true { last = found }
        }
        // Nothing is there that could be passed over.
        guard let last else { return nil }
        if last.boot == boot {
            // New entries go on with the next number, which is not behind the lost one.
            return next == nil ? point.numbered(last.sequence &+ 1) : nil
        }
        let ofBoot = own.compactMap { $0.last(of: boot, before: number) }.max { $0.sequence < $1.sequence }
        // Is its boot a later one? It is if it has entries on both sides of the number, or behind those of the other boot. If there
        // are none of these, only the clocks can tell.
        let isLater =
            next?.boot == last.boot
            || ofBoot.map { $0.sequence < last.sequence } ?? point.realtime.map { last.realtime > $0 }
                ?? false
        guard isLater else { return nil }
        if let ofBoot { return point.numbered(ofBoot.sequence &+ 1) }
        let first = own.compactMap { $0.first(of: last.boot) }.min { $0.sequence < $1.sequence }
        return point.numbered((first ?? last).sequence)
    }
}

extension SeekPoint {
    /// The same place in files of other sources.
    fileprivate func numbered(_ sequence: UInt64) -> SeekPoint {
        var point = self
        point.sequence = sequence
        point.checksum = nil
        return point
    }
}

extension JournalFile {
    fileprivate func listed(_ index: Int) -> EntryRef? {
        guard index >= 0, index < count, let offset = offset(at: index) else { return nil }
        return entry(at: offset, .spot)
    }

    /// The last entry of a boot with a number below that one, as far as the file's index tells.
    fileprivate func last(of boot: ID128, before number: UInt64) -> EntryRef? {
        entries(of: boot).flatMap { postings in
            let end = postings.firstIndex { $0.sequence >= number } ?? 0
            return end > 0 ? postings.offset(at: end - 1).flatMap { entry(at: $0, .spot) } : nil
        }
    }

    fileprivate func first(of boot: ID128) -> EntryRef? {
        entries(of: boot).flatMap { $0.count > 0 ? $0.offset(at: 0) : nil }.flatMap { entry(at: $0, .spot) }
    }

    private func entries(of boot: ID128) -> Postings? {
        let line = Array("_BOOT_ID=\(boot.text)".utf8)
        guard case .found(let data) = line.withUnsafeBytes({ find($0) }) else { return nil }
        return Postings(self, data: data).flatMap { $0.isDamaged ? nil : $0 }
    }
}
