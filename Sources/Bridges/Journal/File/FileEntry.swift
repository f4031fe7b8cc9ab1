/// An entry in one of a journal's files. It is valid while the file is held, and belongs to the file's thread.
struct FileEntry {
    /// Held by the journal. A reference would be counted for every entry.
    let file: Unmanaged<JournalFile>
    let key: EntryKey
    let access: FileMemory.Access

    /// Lends the fields to `body`, see ``JournalFile/forEachField(of:_:_:)``.
    ///
    /// - Returns: how many could not be read.
    @inline(__always)
    func forEachField(_ body: (UnsafeRawBufferPointer, UnsafeMutablePointer<SharedValues.Value>?) -> Bool) -> Int {
        file._withUnsafeGuaranteedRef { $0.forEachField(of: key.entry, access, body) }
    }

    /// The values held so far, with room for the entry's own: they stay where they are until the next entry.
    @inline(__always)
    var values: SharedValues {
        file._withUnsafeGuaranteedRef { file in
            file.memory.reserveValues()
            return file.memory.values
        }
    }

    /// Lends the cursor to `body`.
    @inline(__always)
    func withCursor<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: CursorWriting.maxLength) { buffer in
            guard let start = buffer.baseAddress else { return body(UnsafeRawBufferPointer(buffer)) }
            let count = CursorWriting.write(key, to: start)
            return body(UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    /// Copies the whole of it, and returns how many fields could not be read.
    func read(into scratch: EntryScratch) -> Int {
        scratch.clear()
        withCursor { cursor in
            let boot = 2 + 32 + 3
            // The boot's id follows the sequence number, whose length varies.
            let digits = HexadecimalDigits.count(of: key.entry.sequence)
            scratch.setCursor(cursor, boot: boot + digits + 3..<boot + digits + 3 + CursorWriting.bootLength)
        }
        scratch.setTimes(realtime: key.entry.realtime, monotonic: key.entry.monotonic)
        return forEachField { line, _ in scratch.addField(line) }
    }
}
