import Filter

/// The wanted entries of a journal, as far as its files tell without reading all entries.
struct Narrowing {
    /// The terms that are looked up in the files' indexes.
    let terms: MatchTerms?
    /// Conditions on values, for where the terms do not help. Entries that have no such value are left out.
    let search: ValueSearch?
    /// Uses the index wherever it can be used, however many entries it finds.
    let alwaysUsesIndex: Bool
    /// Searches the values of files, which pays where many entries would be read.
    var searchesValues: Bool

    /// - Parameters:
    ///   - search: `nil` where values are not searched at all.
    ///   - searchesValues: whether the values of files are gone through from the beginning.
    ///   - always: whether the index is used where reading everything may be faster.
    init(
        to terms: MatchTerms = MatchTerms(.everything),
        searching search: ValueSearch? = nil,
        searchesValues: Bool = true,
        always: Bool = false
    ) {
        self.terms = terms.conditions.isEmpty && !terms.isNothing ? nil : terms
        self.search = search
        self.searchesValues = searchesValues
        alwaysUsesIndex = always
    }

    var isNothing: Bool { terms?.isNothing == true }

    /// Has the file find its wanted entries in the best way.
    func prepare(_ file: JournalFile) {
        file.walk = nil
        file.scan = nil
        // A rebuilt list does not correspond to the index.
        guard terms != nil || search != nil, file.entries.repairs == 0 else { return }
        if isNothing {
            file.walk = IndexWalk(.any([]), in: file)
            return
        }
        switch JournalWay(self, in: file).kind {
        case .index(let walk):
            file.walk = walk
            // The newest entry of a file that is being written may not be in the index yet.
            file.place.walked = file.count - (file.header.state == 1 ? 1 : 0)
        case .values(let search, let tests) where searchesValues:
            // The last entry of a file that was full may not be linked to all of its values.
            file.place.walked = file.count - 1
            file.scan = ValueScan(file, entries: file.count - 1, search, tests)
        default: break
        }
    }
}
