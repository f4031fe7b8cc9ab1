import Bus
import DequeModule
import Records

/// Writes entries out on several threads, and yields their text in the order in which they were read.
///
/// It belongs to the thread that reads.
final class BatchedText {
    private let threads: WorkerThreads
    private let writers: EntryWriters
    private let writer: EntryWriter
    private let parker = Parker()
    private var open: WritingBatch
    /// Handed to other threads, in the order of their entries.
    private var begun: Deque<WritingBatch> = []

    /// The text of entries that the first batch left to this thread, and the next of those entries.
    private var rest = OutputBuffer()
    private var restIndex: Int?
    /// The gap behind that text.
    private var gap: JournalGap?

    /// How many batches for each thread wait or are being written.
    private static let ahead = 2
    private static let enough = 32 << 10

    init(_ reader: JournalReader, _ makeFormatter: @escaping @Sendable () -> JournalFormatter) {
        threads = reader.threads
        writers = EntryWriters(makeFormatter)
        writer = writers.makeWriter(for: reader)
        open = WritingBatch(writers, reader: parker)
    }

    /// Takes an entry; returns text that is ready.
    func add(_ entry: FileEntry) -> JournalText? {
        open.add(entry)
        guard open.isFull else { return nil }
        threads.begin(CollectionOfOne(open))
        beginNext()
        return next(all: false)
    }

    /// The text of entries that were taken and not yielded, as long as there is any.
    func gathered() -> JournalText? {
        if open.count > 0 { beginNext() }
        return next(all: true)
    }

    private func beginNext() {
        begun.append(open)
        open = WritingBatch(writers, reader: parker)
    }

    /// - Parameter all: whether to wait for all batches. If not, it waits only while too many are begun.
    private func next(all: Bool) -> JournalText? {
        while let first = begun.first {
            if !first.stage.isDone {
                guard all || begun.count > Self.ahead * threads.count else { return nil }
                help(first)
                continue
            }
            if let text = text(of: first) { return text }
            begun.removeFirst()
        }
        return nil
    }

    /// Writes a batch that no other thread has begun. If there is none, waits for the first.
    private func help(_ first: WritingBatch) {
        guard let batch = begun.first(where: { $0.stage.claim() }) else { return first.stage.wait() }
        batch.write(with: writer)
        batch.stage.finish()
    }

    // MARK: The first batch

    /// The next part of a batch that is done; `nil` when all of it was yielded.
    private func text(of batch: WritingBatch) -> JournalText? {
        if restIndex == nil {
            restIndex = batch.written
            if batch.written > 0 { return .entries(batch.takeText()) }
        }
        while gap == nil, rest.count < Self.enough, let index = restIndex, index < batch.count {
            restIndex = index + writeRest(index, of: batch)
        }
        if !rest.isEmpty {
            defer { rest.removeAll() }
            return .entries(rest.withBytes { Array($0) })
        }
        if let gap = gap.take() { return .gap(gap) }
        restIndex = nil
        return nil
    }

    /// Writes an unusual entry: a large one, or one that cannot be read completely. Returns how many entries are
    /// done.
    private func writeRest(_ index: Int, of batch: WritingBatch) -> Int {
        let before = rest.count
        let unreadable = batch.write(index, with: writer, into: &rest)
        guard unreadable > 0 else { return 1 }
        let file = batch.file(of: index)
        if let reason = file.reasonOfLoss(of: batch.entry(index)) {
            rest.truncate(to: before)
            var next = index + 1
            while next < batch.count, batch.file(of: next) === file, file.reasonOfLoss(of: batch.entry(next)) != nil {
                next += 1
            }
            gap = JournalGap(reason, path: file.path, lost: next - index)
            return next - index
        }
        if file.openDescriptor.tellsOfFields() { gap = JournalGap(.fields, path: file.path) }
        return 1
    }
}
