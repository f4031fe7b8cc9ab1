/// Missing entries and fields are told of between the entries where they are missing.
extension MergedJournal {
    /// The gaps found since the last call, in the order in which they were found. Each is returned once.
    package func takeGaps() -> [JournalGap] {
        let taken = gaps
        gaps = []
        return taken
    }

    var hasGaps: Bool { !gaps.isEmpty }

    /// Tells what is missing before an entry that was come upon going back.
    func tellLosses(in file: JournalFile, before entry: EntryRef) {
        guard !file.entries.losses.isEmpty else { return }
        file.place.lost += file.entries.losses.take(before: file.entries.index(from: entry.offset, file))
        if file.place.lost > 0 { tellLoss(of: file) }
    }

    /// Looks for entries of a file that was read to the end of its list and counts more than that.
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
        guard let file = current, !file.hasToldOfFields else { return }
        file.hasToldOfFields = true
        gaps.append(JournalGap(.fields, path: file.path))
    }
}
