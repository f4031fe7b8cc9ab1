/// Which fields a journal has no entry with.
package enum MissingFields {
    /// More files than this are not opened just for a question.
    private static let mostFiles = 256

    /// Those of the names that no entry of the journal has as a field. None wherever that cannot be told for sure: where
    /// the journal is empty, or a file of it is damaged or unreadable.
    ///
    /// It opens the journal's files and looks into their indexes, once for each name, and reads no entry.
    package static func among(_ names: [String], of source: JournalSource) -> [String] {
        // The reader opens the same journal next, and reports what is wrong with it.
        guard !names.isEmpty, let faultGuard = try? FaultGuard(), let paths = intactPaths(source),
            paths.count <= mostFiles
        else { return [] }
        DescriptorLimit.raise()
        var opened: JournalHandle?
        guard JournalHandle.open(source, paths: paths, faultGuard, &opened) >= 0, let journal = opened else {
            return []
        }
        defer { journal.close() }
        // In an empty journal everything is missing.
        guard journal.has(field: "MESSAGE") == true else { return [] }
        return names.filter { journal.has(field: $0) == false }
    }

    /// `nil` where something is wrong with any of the files.
    private static func intactPaths(_ source: JournalSource) -> [String]? {
        if case .files(let paths) = source {
            let areComplete = paths.allSatisfy { (try? JournalFileHeader.check($0))?.isComplete == true }
            return areComplete ? paths : nil
        }
        // As for following, which makes no copies of damaged files.
        guard let files = try? JournalFiles.examine(source, follow: true), files.gaps.isEmpty else { return nil }
        return files.paths
    }
}
