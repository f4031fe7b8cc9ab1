/// A journal's files, opened to list something that is in them.
final class ListedJournal {
    private let journal = MergedJournal()
    /// The losses and damages met so far, with their reasons.
    var gaps: [JournalGap]

    var files: [JournalFile] { journal.files }

    /// - Throws: where nothing at all can be read.
    init(_ source: JournalSource) throws(JournalError) {
        DescriptorLimit.raise()
        var files = JournalFiles(source, follow: false)
        try files.open(journal)
        gaps = files.takeGaps()
    }

    /// Reads the entries of one file. In `body` the journal is at one of them.
    func forEachEntry(of file: JournalFile, _ body: (MergedJournal) -> Void) {
        let journal = MergedJournal(file)
        while journal.next() { body(journal) }
        gaps += journal.takeGaps()
    }
}
