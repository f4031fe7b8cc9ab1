extension JournalFile {
    /// A file with fewer entries is read in no time.
    static let minSearched = 256

    /// Leaves out entries whose times show that they are not wanted. Reading goes on with an entry that is added later.
    ///
    /// - Parameter follow: whether entries may be added that are wanted.
    func narrow(to window: TimeWindow, follow: Bool) {
        bounds = 0..<Int.max
        guard window.isLimited, count >= Self.minSearched, isIntact else { return }
        // Where both ends are wanted, so may be everything between them.
        if window.contains(header.headRealtime), window.contains(header.tailRealtime) { return }
        guard let found = ClockRuns(self)?.entries(in: window, of: self) else { return }
        let isOpen = found.upperBound == count || follow && !header.isArchived
        bounds = found.lowerBound..<(isOpen ? .max : found.upperBound)
    }

    /// The entries that are read, as far as their times tell.
    var wanted: Range<Int> {
        let end = min(count, bounds.upperBound)
        return min(bounds.lowerBound, end)..<end
    }
}
