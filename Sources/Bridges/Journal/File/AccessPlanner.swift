import Filter

/// Makes the access plan for each file of a journal: the part of a query that files answer without reading all entries.
struct AccessPlanner {
    /// The terms that are looked up in the files' indexes.
    let terms: MatchTerms?
    /// Conditions on values, for where the terms do not help. Entries that have no such value are left out.
    let search: ValueSearch?
    /// Uses the index wherever it can be used, however many entries it finds.
    let alwaysUsesIndex: Bool
    /// Searches the values of files, which pays where many entries would be read.
    var searchesValues: Bool
    /// When wanted entries were received.
    let window: TimeWindow
    /// Whether wanted entries may be added.
    let follow: Bool

    /// - Parameters:
    ///   - search: `nil` where values are not searched at all.
    ///   - searchesValues: whether the values of files are gone through from the beginning.
    ///   - window: when wanted entries were received. Some others may be found, too.
    ///   - follow: whether wanted entries may be added while the journal is read.
    ///   - always: whether the index is used where reading everything may be faster.
    init(
        to terms: MatchTerms = MatchTerms(.everything),
        searching search: ValueSearch? = nil,
        searchesValues: Bool = true,
        within window: TimeWindow = TimeWindow(),
        follow: Bool = false,
        always: Bool = false
    ) {
        self.terms = terms.conditions.isEmpty && !terms.isNothing ? nil : terms
        self.search = search
        self.searchesValues = searchesValues
        self.window = window
        self.follow = follow
        alwaysUsesIndex = always
    }

    var isNothing: Bool { terms?.isNothing == true }

    /// Chooses the access plan of a file, and prepares the file for it.
    func prepare(_ file: JournalFile) {
        file.indexScan = nil
        file.valueScan = nil
        file.narrow(to: window, follow: follow)
        // A rebuilt list does not correspond to the index.
        guard terms != nil || search != nil, file.entries.repairs == 0, !file.wanted.isEmpty else { return }
        if isNothing {
            file.indexScan = IndexScan(.any([]), in: file)
            return
        }
        switch AccessPlan(self, in: file).kind {
        case .index(let indexScan):
            file.indexScan = indexScan
            // The newest entry of a file that is being written may not be in the index yet.
            file.place.coveredCount = min(file.count - (file.header.state == 1 ? 1 : 0), file.wanted.upperBound)
        case .values(let search, let tests) where searchesValues:
            // The last entry of a file that was full may not be linked to all of its values.
            file.place.coveredCount = min(file.count - 1, file.wanted.upperBound)
            file.valueScan = ValueScan(file, entries: file.place.coveredCount, search, tests)
        default: break
        }
    }
}
