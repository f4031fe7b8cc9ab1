import Glibc
package import Records

/// Reads entries from a stream in the journal export format: a file, a pipe, the output of another machine. It needs
/// no journal.
///
/// It blocks while it waits for bytes and is used by one thread at a time.
package struct ExportReader: ~Copyable {
    package enum Step: Equatable {
        /// A matching entry is current.
        case entry
        /// Fields were left out of the entry that is being read, whether it will match or not.
        case skipped(SkippedFields)
        /// The stream is over.
        case end
        /// The stream is over inside an entry, which is left out. Only where unfinished entries are refused.
        case cut
    }

    /// Fills the buffer with available bytes, at least one; 0 at the end. It throws the system's error.
    package typealias Read = (UnsafeMutableRawBufferPointer) throws(JournalError) -> Int

    private let name: String
    private let read: Read
    private let query: JournalQuery
    private let refusesUnfinished: Bool
    private let gatherer: FieldGatherer
    private let scratch = EntryScratch()
    private let chunk: UnsafeMutableRawBufferPointer
    private var parser: ExportParser
    /// The parser's result, kept until the fields that it skipped before have been reported.
    private var found: ExportParser.Result?
    private var isAtEnd = false

    /// - Parameters:
    ///   - name: the stream's name in errors.
    ///   - query: the query. There is no index; only the condition decides.
    ///   - limits: how large an entry may be.
    ///   - refusesUnfinished: whether an entry counts only if an empty line ends it. Without that, the end of the stream
    ///     ends an entry, too.
    package init(
        _ name: String,
        query: JournalQuery = .everything,
        limits: ExportLimits = ExportLimits(),
        refusesUnfinished: Bool = false,
        read: @escaping Read
    ) {
        self.name = name
        parser = ExportParser(limits: limits)
        self.query = query
        self.refusesUnfinished = refusesUnfinished
        self.read = read
        gatherer = FieldGatherer(query.layout)
        chunk = .allocate(byteCount: 1 << 16, alignment: 16)
    }

    deinit {
        chunk.deallocate()
    }

    /// Reads from a descriptor, which stays the caller's.
    package init(_ name: String, descriptor: Int32, query: JournalQuery = .everything) {
        self.init(name, query: query) { (buffer: UnsafeMutableRawBufferPointer) throws(JournalError) -> Int in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                guard errno == EINTR else { throw JournalError("read", name, errno: errno) }
            }
        }
    }

    /// Goes to the next matching entry.
    ///
    /// - Throws: ``ExportFormatError`` where the stream violates the format, ``JournalError`` where it cannot be read.
    ///   Entries before that were delivered; nothing comes after.
    package mutating func advance() throws -> Step { try advance(onlyToMatches: true) }

    /// Goes to the next entry, whether it matches or not.
    ///
    /// - Throws: as `advance()`.
    package mutating func advanceToAny() throws -> Step { try advance(onlyToMatches: false) }

    private mutating func advance(onlyToMatches: Bool) throws -> Step {
        while true {
            let result = found.take() ?? (isAtEnd ? parser.finish(into: scratch) : parser.next(into: scratch))
            if let skips = parser.takeSkips() {
                found = result
                return .skipped(SkippedFields(stream: name, limits: parser.limits, skips))
            }
            switch result {
            case .entry:
                if !onlyToMatches || isMatch { return .entry }
            case .failed(let problem, let byteOffset, let line):
                throw ExportFormatError(stream: name, byteOffset: byteOffset, line: line, problem: problem)
            case .needsMore:
                if isAtEnd { return .end }
                let count = try read(chunk)
                if count == 0 {
                    if refusesUnfinished, parser.isCut { return .cut }
                    isAtEnd = true
                } else {
                    parser.feed(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk)[..<count]))
                }
            }
        }
    }

    /// The current entry, whole.
    package func entry() -> JournalEntry { JournalEntry(copying: scratch.view) }

    /// Writes the current entry into `output`.
    package func format(with formatter: inout JournalFormatter, into output: inout OutputBuffer) {
        formatter.write(scratch.view, into: &output)
    }

    /// The cursor of the current entry, byte for byte. Empty if it came without one.
    package var cursor: [UInt8] { Array(scratch.view.cursor) }

    /// When the journal received the current entry, in microseconds since 1970.
    package var realtime: UInt64 { scratch.view.header.realtime }

    /// Whether the query selects the current entry. Each call evaluates the condition.
    package var isMatch: Bool {
        guard let condition = query.condition else { return true }
        let view = scratch.view
        gatherer.take(from: view)
        return condition.holds(
            gatherer.record(cursor: view.cursor, realtime: view.header.realtime, monotonic: view.header.monotonic)
        )
    }
}
