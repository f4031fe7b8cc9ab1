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

extension MergedJournal {
    /// Takes the whole of the current entry.
    func read(into scratch: EntryScratch) {
        withCursor { cursor in
            let boot = 2 + 32 + 3
            // The boot's id follows the sequence number, whose length differs.
            let digits = HexadecimalDigits.count(of: entry.sequence)
            scratch.setCursor(cursor, boot: boot + digits + 3..<boot + digits + 3 + CursorWriting.bootLength)
        }
        scratch.setTimes(realtime: entry.realtime, monotonic: entry.monotonic)
        forEachField { scratch.addField($0) }
    }
}
