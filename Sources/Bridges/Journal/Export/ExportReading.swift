import Bus
import Glibc
import Loop
import Records
import SystemPackage

/// Where a stream is read from.
enum ExportStream: Sendable {
    case file(String)
    /// It is the caller's.
    case descriptor(FileDescriptor)

    /// - Parameter path: `-` for standard input.
    static func at(_ path: String) -> ExportStream { path == "-" ? .descriptor(.standardInput) : .file(path) }
}

/// Reads a stream in the journal export format.
struct ExportReading<Projection: JournalProjection>: BlockingReading {
    typealias Value = Projection.Value
    typealias Failure = JournalExportError

    private let stream: ExportStream
    /// How many of the newest to send when the stream has ended; nil for all, as they come.
    let last: Int?
    /// Whether the newest of these comes first.
    let isReversed: Bool
    let query: JournalQuery
    let limits: ExportLimits
    /// How many entries are sent at most.
    let limit: Int
    let makeProjection: @Sendable () -> Projection

    init(
        _ stream: ExportStream,
        last: Int?,
        isReversed: Bool,
        query: JournalQuery,
        limits: ExportLimits,
        limit: Int,
        _ makeProjection: @escaping @Sendable () -> Projection
    ) {
        self.stream = stream
        self.last = last
        self.isReversed = isReversed
        self.query = query
        self.limits = limits
        self.limit = limit
        self.makeProjection = makeProjection
    }

    var threadName: String { "bus-journal" }

    func failure(_ error: BlockingReaderError) -> JournalExportError {
        .reading(JournalError(error.operation, errno: error.code))
    }

    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(JournalExportError) where Downstream.Value == Value, Downstream.Failure == JournalExportError {
        let stream = try open()
        defer { close(stream) }
        var projection = makeProjection()
        var reader = ExportReader(name, query: query, limits: limits) { (buffer) throws(JournalError) in
            // Entries are sent before more is read, so that a match does not wait for the next one.
            if let gathered = projection.gathered(), !output.send(gathered) { return 0 }
            if !isReady(stream, orStopped: output, wait: false), !output.send(projection.caughtUp) { return 0 }
            while true {
                guard isReady(stream, orStopped: output, wait: true), output.isOpen else { return 0 }
                if let count = try read(stream, into: buffer) { return count }
            }
        }
        guard output.waitUntilReady() else { return }
        // Complete entries are sent also when a later one is broken.
        defer { if output.isOpen, let gathered = projection.gathered() { _ = output.send(gathered) } }
        var newest = NewestKept<JournalEntry>(maxCount: last ?? 0)
        reading: while output.isOpen, projection.count < limit {
            switch try advance(&reader) {
            // Here the end of the stream ends an entry, too.
            case .end, .cut: break reading
            case .skipped(let fields):
                if let gathered = projection.gathered(), !output.send(gathered) { return }
                guard output.send(projection.skipped(fields)) else { return }
            case .entry:
                if last != nil {
                    let entry = reader.entry()
                    newest.append(entry, byteCount: entry.byteCount)
                } else if let value = projection.entry(in: reader), !output.send(value) {
                    return
                }
            }
        }
        let leftOut = newest.leftOut
        let gap = leftOut > 0 ? projection.gap(JournalGap(.room, lost: leftOut)) : nil
        let entries = newest.removeAll()
        if !isReversed, let gap, !output.send(gap) { return }
        for entry in (isReversed ? entries.reversed() : entries).prefix(limit) {
            if let value = projection.entry(entry), !output.send(value) { return }
        }
        guard isReversed, let gap, projection.count < limit else { return }
        if let gathered = projection.gathered(), !output.send(gathered) { return }
        _ = output.send(gap)
    }

    private func advance(_ reader: inout ExportReader) throws(JournalExportError) -> ExportReader.Step {
        do {
            return try reader.advance()
        } catch let error as ExportFormatError {
            throw .format(error)
        } catch let error as JournalError {
            throw .reading(error)
        } catch {
            throw .reading(JournalError("read", name, reason: "\(error)", errno: 0))
        }
    }

    // MARK: The stream

    private var name: String {
        switch stream {
        case .file(let path): path
        case .descriptor(.standardInput): "standard input"
        case .descriptor(let descriptor): "descriptor \(descriptor.rawValue)"
        }
    }

    private func open() throws(JournalExportError) -> FileDescriptor {
        switch stream {
        case .descriptor(let descriptor): return descriptor
        case .file(let path):
            do {
                return try Self.open(path)
            } catch {
                throw .reading(JournalError("open", name, errno: (error as? Errno)?.rawValue ?? 0))
            }
        }
    }

    private static func open(_ path: String) throws -> FileDescriptor {
        do {
            // A FIFO without a writer would block here, where disposal does not reach. This way the writer is waited for
            // before the first read.
            return try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch Errno.wouldBlock {
            // Another process has a lease on the file. The kernel ends it while an open that may block waits.
            return try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
        }
    }

    private func close(_ stream: FileDescriptor) {
        guard case .file = self.stream else { return }
        // It was only read from, so there is nothing that closing could lose.
        try? stream.close()
    }

    /// Returns `nil` when another reader was faster.
    private func read(
        _ stream: FileDescriptor,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(JournalError) -> Int? {
        do {
            return try stream.read(into: buffer)
        } catch Errno.wouldBlock {
            return nil
        } catch {
            throw JournalError("read", name, errno: (error as? Errno)?.rawValue ?? 0)
        }
    }

    private func isReady<Downstream: Observer & ~Copyable>(
        _ stream: FileDescriptor,
        orStopped output: BlockingReaderOutput<Downstream>,
        wait: Bool
    ) -> Bool {
        var descriptors = [
            pollfd(fd: stream.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output.stopDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        var result: CInt = 0
        repeat { result = poll(&descriptors, 2, wait ? -1 : 0) } while result < 0 && errno == EINTR
        return result != 0
    }
}
