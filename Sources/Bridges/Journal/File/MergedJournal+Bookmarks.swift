extension MergedJournal {
    /// An entry in one of the files.
    struct Bookmark {
        fileprivate let file: JournalFile
        fileprivate let entry: EntryRef
    }

    /// The current entry's place.
    var bookmark: Bookmark? { current.map { Bookmark(file: $0, entry: entry) } }

    /// Makes that entry the current one, and goes on from there.
    func go(to bookmark: Bookmark) {
        let key = EntryKey(sequenceID: bookmark.file.header.sequenceID, entry: bookmark.entry)
        seek(.at(key))
        setCurrent(bookmark.file, bookmark.entry)
        tellLosses(in: bookmark.file, before: bookmark.entry)
    }
}
