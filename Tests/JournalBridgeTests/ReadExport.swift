@testable import JournalBridge

/// The result of reading a stream in the export format.
struct ReadExport {
    var entries: [JournalEntry] = []
    /// The omitted fields, one element for each report, with the number of entries before it.
    var skipped: [SkippedFields] = []
    var entriesBeforeSkipped: [Int] = []
    var error: ExportFormatError?

    var messages: [String?] { entries.map { $0["MESSAGE"] } }

    /// - Parameter pieces: how many bytes arrive at once.
    init(
        _ bytes: [UInt8],
        pieces: Int = 1 << 16,
        limits: ExportLimits = ExportLimits(),
        query: JournalQuery = .everything
    ) throws {
        var position = 0
        var reader = ExportReader("test", query: query, limits: limits) { (buffer: UnsafeMutableRawBufferPointer) in
            let count = min(pieces, buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
        do {
            while true {
                switch try reader.advance() {
                case .entry: entries.append(reader.entry())
                case .skipped(let fields):
                    skipped.append(fields)
                    entriesBeforeSkipped.append(entries.count)
                case .end, .cut: return
                }
            }
        } catch let error as ExportFormatError {
            self.error = error
        }
    }

    init(_ text: String, query: JournalQuery = .everything) throws {
        try self.init(Array(text.utf8), query: query)
    }

    /// A field whose value is written with its length.
    static func binary(_ name: String, _ value: [UInt8], length: UInt64? = nil) -> [UInt8] {
        Array(name.utf8) + [0x0A] + withUnsafeBytes(of: (length ?? UInt64(value.count)).littleEndian) { Array($0) }
            + value + [0x0A]
    }
}
