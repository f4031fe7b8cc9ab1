/// Entries of one file that are missing: before which of the list's entries, and how many.
struct EntryLosses {
    private var losses: [(index: Int, count: Int)] = []
    /// How many of `losses` were reported.
    private var reportedLosses = 0
    /// How many entries were reported as missing so far.
    private var reportedEntries = 0
    /// How many of them from the end on, by a reader that goes back.
    private var reportedBehind = 0

    /// Whether none are left to be reported.
    var isEmpty: Bool { reportedLosses == losses.count }

    /// Takes the present losses; those that were reported already are not reported again.
    mutating func replace(with losses: [(index: Int, count: Int)]) {
        let unknownBehind = Self.leavingOut(reportedBehind, of: losses.reversed()).reversed()
        self.losses = Self.leavingOut(reportedEntries - reportedBehind, of: unknownBehind)
        reportedLosses = 0
    }

    /// Losses without so many of the first entries.
    private static func leavingOut(
        _ known: Int,
        of losses: some Sequence<(index: Int, count: Int)>
    ) -> [(index: Int, count: Int)] {
        var known = known
        return losses.compactMap { loss in
            let count = loss.count - min(known, loss.count)
            known -= loss.count - count
            return count > 0 ? (loss.index, count) : nil
        }
    }

    /// Removes the losses before an entry, which are reported now; returns how many entries they are.
    mutating func take(before index: Int) -> Int {
        var count = 0
        while reportedLosses < losses.count, losses[reportedLosses].index <= index {
            count += losses[reportedLosses].count
            reportedLosses += 1
        }
        reportedEntries += count
        return count
    }

    /// The same for the losses behind an entry, for a reader that goes back.
    mutating func take(behind index: Int) -> Int {
        var count = 0
        while losses.count > reportedLosses, let last = losses.last, last.index > index {
            count += last.count
            losses.removeLast()
        }
        reportedEntries += count
        reportedBehind += count
        return count
    }

    /// How many entries are missing and were not reported yet.
    var unreported: Int { losses[reportedLosses...].reduce(0) { $0 + $1.count } }

    /// Removes losses of entries that were read before they were lost: all before an index, and those beyond `limit`.
    mutating func limit(from index: Int, to limit: Int) {
        losses = losses[reportedLosses...].filter { $0.index >= index }
        reportedLosses = 0
        var excess = unreported - max(limit, 0)
        for position in losses.indices where excess > 0 {
            let read = min(losses[position].count, excess)
            losses[position].count -= read
            excess -= read
        }
        losses.removeAll { $0.count == 0 }
    }
}
