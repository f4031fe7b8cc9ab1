extension MergedJournal {
    /// How much of what is read of the files lies before the reading position in each of them.
    var progress: SearchProgress.Share {
        var share = SearchProgress.Share(passed: 0, whole: 0)
        for file in files {
            // A damaged list may name places far beyond the file.
            let wanted = file.wanted
            guard wanted.count > 1, let first = file.offset(at: wanted.lowerBound),
                let last = file.offset(at: wanted.upperBound - 1).map({ min($0, file.size) }), last > first
            else { continue }
            share.whole += UInt64(last - first)
            share.passed += UInt64(min(max(passed(of: file, from: first, to: last), 0), last - first))
        }
        return share
    }

    private func passed(of file: JournalFile, from first: Int, to last: Int) -> Int {
        switch file.place.state {
        case .unknown: return 0
        case .end: return last - first
        case .found, .ahead, .taken: break
        }
        let offset = file.place.key.entry.offset
        if file.place.hasValueScan, let valueScan = file.valueScan {
            let searched = valueScan.position - first
            // Going back, all values are searched before the last entry that has some is known.
            return direction == .forward ? searched : (searched + last - max(offset, first)) / 2
        }
        if offset == 0 { return 0 }
        return direction == .forward ? offset - first : last - offset
    }
}
