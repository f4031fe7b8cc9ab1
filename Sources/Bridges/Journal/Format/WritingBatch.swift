import Bus
import Records

/// Entries that are written out one after the other, by the thread that reads the journal or by one beside it.
// Sendable: filled by the reader, then touched by the thread that has claimed it, and when that is done, by the reader.
final class WritingBatch: SharedWork, @unchecked Sendable {
    private struct Item: BitwiseCopyable {
        var key: EntryKey
        var access: FileMemory.Access
        /// The number of the file.
        var file: Int
    }

    /// How many entries make a batch: enough that handing it over costs little beside the writing.
    private static let maxCount = 32
    /// A batch whose text has grown to so many bytes is left to the reader, which hands its text on in between.
    private static let maxSize = 256 << 10

    let stage: WorkStage
    private let writers: EntryWriters
    private var items: [Item] = []
    private var files: [FileSnapshot] = []
    private var text: [UInt8] = []
    /// How many entries the text has. The others are left to the reader.
    private(set) var written = 0

    init(_ writers: EntryWriters, reader: Parker) {
        self.writers = writers
        stage = WorkStage(reader: reader)
        items.reserveCapacity(Self.maxCount)
    }

    var isFull: Bool { items.count == Self.maxCount }
    var count: Int { items.count }

    func add(_ entry: FileEntry) {
        items.append(Item(key: entry.key, access: entry.access, file: index(of: entry)))
    }

    private func index(of entry: FileEntry) -> Int {
        entry.file._withUnsafeGuaranteedRef { file in
            if let last = files.last, last.key == file.key { return files.count - 1 }
            if let index = files.firstIndex(where: { $0.key == file.key }) { return index }
            files.append(FileSnapshot(file))
            return files.count - 1
        }
    }

    func run() {
        guard stage.claim() else { return }
        writers.withWriter(write)
        stage.finishForReader()
    }

    /// Writes entries as long as nothing is wrong with them. To be called by the thread that has claimed the batch.
    func write(with writer: EntryWriter) {
        let views = files.map(writer.view)
        text = writer.text { output in
            while written < items.count, output.count < Self.maxSize {
                let before = output.count
                let item = items[written]
                guard writer.write(item.key, item.access, in: views[item.file], into: &output) == 0 else {
                    output.truncate(to: before)
                    break
                }
                written += 1
            }
        }
    }

    /// Writes one entry, and returns how many of its fields could not be read.
    func write(_ index: Int, with writer: EntryWriter, into output: inout OutputBuffer) -> Int {
        let item = items[index]
        return writer.write(item.key, item.access, in: writer.view(of: files[item.file]), into: &output)
    }

    func takeText() -> [UInt8] {
        defer { text = [] }
        return text
    }

    func file(of index: Int) -> FileSnapshot { files[items[index].file] }
    func entry(_ index: Int) -> EntryRef { items[index].key.entry }
}
