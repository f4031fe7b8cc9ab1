/// The access plan for one file: how its wanted entries are found.
struct AccessPlan {
    enum Kind {
        /// All entries are read.
        case all
        /// By the lists of entries that the file keeps for each value.
        case index(IndexScan)
        /// By going through the values of the file.
        case values(ValueSearch, [ValueTest])
    }

    private(set) var kind = Kind.all
    /// How many entries the index would find at most, if it can be asked.
    private(set) var estimate: Int?

    /// How many entries can be read one after the other in the time in which the index finds one.
    static let costOfLookup = 6
    /// The values of a field are not tested beforehand if they are more than this, and more than one for so many entries.
    private static let maxValues = 64
    private static let entriesForValue = 32

    init(_ planner: AccessPlanner, in file: JournalFile) {
        let (terms, search, always) = (planner.terms, planner.search, planner.alwaysUsesIndex)
        var conditions: [IndexCondition] = []
        if let terms, let condition = IndexCondition.make(terms, in: file) { conditions.append(condition) }
        var others: [[ValueTest]] = []
        if let search, !always, file.wanted.count >= JournalFile.minSearched, file.isIntact {
            let limit = max(Self.maxValues, file.wanted.count / Self.entriesForValue)
            for tests in search.tests {
                let testing = ValueTesting(tests, search.layout)
                if let condition = IndexCondition.make(tests, testing, in: file, limit: limit) {
                    conditions.append(condition)
                } else {
                    others.append(tests)
                }
            }
        }
        if !conditions.isEmpty {
            let indexScan = IndexScan(.joined(conditions, IndexCondition.all), in: file)
            estimate = indexScan.estimate
            if always || indexScan.estimate * Self.costOfLookup < file.count {
                kind = .index(indexScan)
                return
            }
        }
        if let search, let tests = others.min(by: { $0.count < $1.count }) { kind = .values(search, tests) }
    }
}
