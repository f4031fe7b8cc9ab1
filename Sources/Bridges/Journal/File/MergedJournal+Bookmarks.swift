extension MergedJournal {
    /// An entry in one of the files.
    struct Bookmark {
        fileprivate let file: JournalFile
        fileprivate let entry: EntryRef
    }

    /// The last entry of all, and where each file ended when it was found.
    struct End {
        fileprivate let last: Bookmark
        fileprivate let files: [FileEnd]
    }

    fileprivate struct FileEnd {
        let file: JournalFile
        /// The last entry that the file had.
        let index: Int
        let entry: EntryRef
        let repairs: Int
    }

    /// The current entry's place.
    var bookmark: Bookmark? { current.map { Bookmark(file: $0, entry: entry) } }

    /// The current entry's place, where it is the last one: nothing but ``seekTail()`` and one step back came before.
    var end: End? {
        guard let bookmark else { return nil }
        let ends = files.compactMap { file -> FileEnd? in
            guard !file.place.hasIndexScan, !file.place.hasValueScan, file.place.index >= 0 else { return nil }
            return FileEnd(
                file: file,
                index: file.place.index,
                entry: file.place.key.entry,
                repairs: file.entries.repairs
            )
        }
        return End(last: bookmark, files: ends)
    }

    /// Makes that entry the current one, and goes on from there.
    func go(to bookmark: Bookmark) {
        let key = EntryKey(sequenceID: bookmark.file.header.sequenceID, entry: bookmark.entry)
        seek(.at(key))
        setCurrent(bookmark.file, bookmark.entry)
        tellLosses(in: bookmark.file, before: bookmark.entry)
    }

    /// The same. Entries that the files had then are not searched again.
    func go(to end: End) {
        go(to: end.last)
        goForward()
        for end in end.files {
            let file = end.file
            guard !file.place.hasIndexScan, !file.place.hasValueScan, file.entries.repairs == end.repairs else {
                continue
            }
            file.place.index = end.index
            file.place.key = EntryKey(sequenceID: file.header.sequenceID, entry: end.entry)
            file.place.state = .taken
        }
    }
}
