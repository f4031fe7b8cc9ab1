import Bus
import Records

/// Writes out single entries of journal files. It reads the files with memory of its own, or with the memory of the reader whose
/// thread it is used on.
// Sendable: used by one thread at a time, which has taken it; see `EntryWriters`.
final class EntryWriter: @unchecked Sendable {
    private let memory: FileMemory
    private var formatter: JournalFormatter
    private let scratch = EntryScratch()
    private var output = OutputBuffer()

    /// - Parameter formatter: a formatter that remembers nothing from one entry to the next.
    init(_ formatter: JournalFormatter, memory: FileMemory) {
        self.formatter = formatter
        self.memory = memory
    }

    /// Returns the bytes that `body` writes.
    func text(_ body: (inout OutputBuffer) -> Void) -> [UInt8] {
        defer { output.removeAll() }
        body(&output)
        return output.withBytes { Array($0) }
    }

    /// A view of the file for this writer. It keeps the file open, so it is dropped with the batch.
    func view(of file: FileSnapshot) -> JournalFile { JournalFile(file, memory: memory) }

    /// Writes an entry, and returns how many of its fields could not be read.
    ///
    /// - Parameter view: a view that this writer has made.
    @inline(__always)
    func write(
        _ key: EntryKey,
        _ access: FileMemory.Access,
        in view: JournalFile,
        into output: inout OutputBuffer
    ) -> Int {
        withExtendedLifetime(view) {
            let entry = FileEntry(file: Unmanaged.passUnretained(view), key: key, access: access)
            return formatter.write(entry, by: scratch, into: &output)
        }
    }
}

/// A pool of writers. Each is used by one thread at a time.
final class EntryWriters: Sendable {
    private let makeFormatter: @Sendable () -> JournalFormatter
    private let idle = Lock<[EntryWriter]>([])

    init(_ makeFormatter: @escaping @Sendable () -> JournalFormatter) {
        self.makeFormatter = makeFormatter
    }

    /// Makes a writer for the reader's thread, which uses the reader's memory.
    func makeWriter(for reader: JournalReader) -> EntryWriter {
        EntryWriter(makeFormatter(), memory: reader.journal.memory)
    }

    /// Lends a writer to `body`, which is its only user.
    func withWriter(_ body: (EntryWriter) -> Void) {
        let writer = idle.withLock { $0.popLast() } ?? EntryWriter(makeFormatter(), memory: FileMemory(isSmall: true))
        body(writer)
        idle.withLock { $0.append(writer) }
    }
}
