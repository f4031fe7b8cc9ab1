/// Missing entries and fields are reported between the entries where they are missing.
extension MergedJournal {
    /// The gaps found since the last call, in the order in which they were found. Each is returned once.
    package func takeGaps() -> [JournalGap] {
        let taken = gaps
        gaps = []
        return taken
    }

    var hasGaps: Bool { !gaps.isEmpty }

    /// Reports the losses before an entry that was reached going back.
    func tellLosses(in file: JournalFile, before entry: EntryRef) {
        guard !file.entries.losses.isEmpty, let index = file.entries.index(from: entry.offset, file) else { return }
        file.place.lost += file.entries.losses.take(before: index)
        if file.place.lost > 0 { tellLoss(of: file) }
    }

    /// Reports the losses after the current entry, for a reader that goes back.
    func tellLossesBehind() {
        guard let file = current, !file.entries.losses.isEmpty,
            let index = file.entries.index(from: entry.offset, file)
        else { return }
        tellLosses(of: file, behind: index)
    }

    /// Reports all losses that were not reported, when a reader that goes back has reached the first entry.
    func tellLosses() {
        for file in files where !file.entries.losses.isEmpty { tellLosses(of: file, behind: -1) }
    }

    private func tellLosses(of file: JournalFile, behind index: Int) {
        file.place.lost += file.entries.losses.take(behind: index)
        if file.place.lost > 0 { tellLoss(of: file) }
    }

    /// Searches for entries of a file that was read to the end of its list and counts more than that.
    func findUnlisted(of file: JournalFile) {
        file.findUnlisted()
        if case .end = file.place.state, file.place.lost > 0 { tellLoss(of: file) }
    }

    func tellLoss(of file: JournalFile) {
        let reason: JournalGap.Reason =
            if file.isDeleted { .deleted } else if file.hasShrunk { .truncated } else { .damaged }
        let lost = file.entries.isClaimPossible ? file.place.lost : nil
        gaps.append(JournalGap(reason, path: file.path, lost: lost))
        file.place.lost = 0
    }

    @inline(never)
    func tellOfFields() {
        guard let file = current, file.openDescriptor.tellsOfFields() else { return }
        gaps.append(JournalGap(.fields, path: file.path))
    }

    /// The current entry was found and cannot be read. Returns whether it is gone; that is then reported.
    func tellIfGone() -> Bool {
        guard let file = current, let reason = FileSnapshot(file).reasonOfLoss(of: entry) else { return false }
        gaps.append(JournalGap(reason, path: file.path, lost: 1))
        return true
    }
}

extension FileSnapshot {
    /// Why an entry that was found is not in the file any more; `nil` if it is.
    func reasonOfLoss(of entry: EntryRef) -> JournalGap.Reason? {
        if holds(entry) { return nil }
        guard let status = FileStatus(of: openDescriptor.opened()) else { return .damaged }
        return status.links == 0 ? .deleted : status.size < size ? .truncated : .damaged
    }
}
