/// Parses a stream in the journal export format, in pieces of any size.
///
/// Fields are `NAME=text` on a line, or a line `NAME`, then the value's length as 8 bytes, least significant first, the
/// value, and a line feed. An empty line ends an entry. See https://systemd.io/JOURNAL_EXPORT_FORMATS/
///
/// It is a value: it is driven by ``feed(_:)`` and ``next(into:)`` and does nothing else. A field's bytes are kept
/// until the whole field is there. A field that no entry may have is skipped as it comes, and nothing of it is kept.
struct ExportParser: ~Copyable {
    enum Result {
        /// The scratch has an entry.
        case entry
        /// More bytes are needed to go on.
        case needsMore
        case failed(problem: String, byteOffset: UInt64, line: UInt64)
    }

    /// The kind of data at the position.
    enum Place {
        /// The beginning of a line.
        case line
        /// The rest of a line that is passed over. A line that has an equals sign is the whole field.
        case skippedLine(SkippedField, hasEquals: Bool)
        /// The length of a value that is passed over.
        case skippedLength(SkippedField)
        /// So many more bytes of a value that is passed over.
        case skippedValue(SkippedField, rest: Int)
    }

    /// A field that is being passed over.
    struct SkippedField {
        let reason: FieldSkips.Reason
        /// Where it begins.
        let byteOffset: UInt64
        let line: UInt64
        /// The problem to report if it proves to be no field at all.
        let problem: String?
    }

    /// The longest name that journald takes.
    static let maxNameLength = 64
    /// A buffer that has grown beyond this is released when the large field has been handled.
    private static let maxIdleBuffer = 1 << 20

    let limits: ExportLimits
    var buffer: [UInt8] = []
    /// How much of the buffer has been handled.
    var position = 0
    /// How far the buffer was searched for a line feed without finding one.
    var searched = 0
    var place = Place.line
    var line: UInt64 = 1
    private var discarded: UInt64 = 0
    private var metadata = ExportMetadata()
    private var skips: FieldSkips?
    /// The entry being read has something in it.
    private var isInsideEntry = false
    private var isStarted = false

    init(limits: ExportLimits) {
        self.limits = limits
    }

    /// The parser's position in the stream.
    var byteOffset: UInt64 { discarded + UInt64(position) }

    /// Whether the bytes so far end inside an entry. An entry begins with the names of its place, `__CURSOR` and the like.
    var isCut: Bool {
        if isInsideEntry { return true }
        guard case .line = place else { return false }
        return buffer[position...].starts(with: ExportMetadata.prefix)
    }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if position > 0 {
            buffer.removeFirst(position)
            discarded += UInt64(position)
            searched = max(searched - position, 0)
            position = 0
            if buffer.capacity > Self.maxIdleBuffer, buffer.count < Self.maxIdleBuffer / 4 {
                buffer = buffer.withUnsafeBufferPointer { Array($0) }
            }
        }
        buffer.append(contentsOf: bytes)
    }

    mutating func next(into scratch: EntryScratch) -> Result {
        if !isStarted {
            isStarted = true
            scratch.clear()
        }
        while true {
            let result: Result? =
                switch place {
                case .line: readLine(scratch)
                case .skippedLine(let field, let hasEquals): skipLine(field, hasEquals)
                case .skippedLength(let field): skipLength(field)
                case .skippedValue(let field, let rest): skipValue(field, rest)
                }
            if let result { return result }
        }
    }

    /// The end of the stream: an entry that has no empty line behind it is whole if its last field is.
    mutating func finish(into scratch: EntryScratch) -> Result {
        switch place {
        case .line where position == buffer.count: return isInsideEntry ? complete(scratch) : .needsMore
        case .line:
            return failure(
                "the stream ends inside a field (\(buffer.count - position) bytes of it are there); "
                    + "the entry it belongs to is lost",
                buffer.count - position
            )
        case .skippedLine(let field, _), .skippedLength(let field), .skippedValue(let field, _):
            return failure(field) ?? failure("the stream ends inside a field; the entry it belongs to is lost", 0)
        }
    }

    /// The fields that were passed over since the last call.
    mutating func takeSkips() -> FieldSkips? { skips.take() }

    /// A field was passed over to its end.
    mutating func count(_ field: SkippedField) {
        var skips = self.skips ?? FieldSkips(byteOffset: field.byteOffset, line: field.line)
        skips.count(field.reason)
        self.skips = skips
    }

    /// Adds a field to the entry, or notes the entry's metadata.
    mutating func add(_ name: Range<Int>, _ value: Range<Int>, _ scratch: EntryScratch) {
        isInsideEntry = true
        buffer.withUnsafeBytes { bytes in
            let name = UnsafeRawBufferPointer(rebasing: bytes[name])
            let value = UnsafeRawBufferPointer(rebasing: bytes[value])
            if metadata.take(name, value) { return }
            // The limits are far below the capacity of a scratch.
            let isAdded = scratch.addField(name: name, value: value)
            assert(isAdded)
        }
    }

    /// An empty line: the end of the entry, if there is one.
    mutating func endEntry(_ scratch: EntryScratch) -> Result? {
        position += 1
        line += 1
        return isInsideEntry ? complete(scratch) : nil
    }

    private mutating func complete(_ scratch: EntryScratch) -> Result {
        metadata.move(into: scratch)
        isInsideEntry = false
        isStarted = false
        return .entry
    }

    func failure(_ problem: String, _ offset: Int) -> Result {
        .failed(problem: problem, byteOffset: byteOffset + UInt64(offset), line: line)
    }

    func failure(_ field: SkippedField) -> Result? {
        field.problem.map { .failed(problem: $0, byteOffset: field.byteOffset, line: field.line) }
    }
}
