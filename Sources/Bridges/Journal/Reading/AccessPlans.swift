/// Describes the access plan for a query in each file of a journal.
package struct AccessPlans: CustomStringConvertible {
    private let lines: [String]

    /// Opens the journal and plans each file as reading does.
    ///
    /// - Throws: where nothing at all can be read.
    package init(_ source: JournalSource, query: JournalQuery) throws(JournalError) {
        let journal = MergedJournal()
        var files = JournalFiles(source, follow: false)
        try files.open(journal)
        let planner = AccessPlanner(to: MatchTerms(query.match), searching: ValueSearch(query), within: query.window)
        var lines: [String] = []
        for file in journal.files {
            file.narrow(to: query.window, follow: false)
            lines.append("\(file.path): \(Self.time(of: file))\(Self.plan(planner, file))")
        }
        lines += files.takeGaps().map { "\($0)" }
        self.lines = lines
    }

    package var description: String {
        lines.isEmpty ? "There are no files." : lines.joined(separator: "\n")
    }

    private static func time(of file: JournalFile) -> String {
        let wanted = file.wanted.count
        return wanted == file.count || wanted == 0 ? "" : "by their times \(wanted) entries are left; "
    }

    private static func plan(_ planner: AccessPlanner, _ file: JournalFile) -> String {
        if planner.isNothing { return "nothing is read, because nothing can match" }
        if file.count > 0, file.wanted.isEmpty { return "nothing is read, because no entry is of that time" }
        let plan = AccessPlan(planner, in: file)
        let found = plan.estimate.map { "the index would find up to \($0) of \(file.count) entries" }
        switch plan.kind {
        case .index: return "the index finds at most \(plan.estimate ?? 0) of \(file.count) entries"
        case .values(_, let tests):
            let fields = Set(tests.map { String(decoding: $0.prefix.dropLast(), as: UTF8.self) }).sorted()
            let reason = found.map { ", because \($0)" } ?? ""
            return "each value of \(fields.joined(separator: ", ")) is tested once\(reason)"
        case .all:
            if let found { return "all entries are read, because \(found)" }
            if planner.terms == nil, planner.search == nil { return "all \(file.wanted.count) entries are read" }
            if !file.isIntact { return "all entries are read, because the file is damaged" }
            return "all \(file.wanted.count) entries are read, which are few or cannot be searched by their values"
        }
    }
}
