import Foundation
import Glibc
import JournalWriter

/// A journal file that a test extends in place while it is read. As in journald, the header's counts are written last.
struct GrowingJournal {
    static let boot = ID128(0x4444_4444_4444_4444, 0x8444_4444_4444_4444)

    let path: String
    private var writer: JournalFileWriter
    private let headerSize: Int

    /// - Parameter source: distinguishes sources of sequence numbers.
    init(_ path: String, source: UInt64 = 1) throws {
        var form = JournalFileForm()
        form.state = .online
        form.isPadded = true
        form.sequenceID = ID128(0x3333_3333_3333_4333, source)
        form.fileID = ID128(0x1111_1111_1111_4111, .random(in: 0 ... .max))
        self.path = path
        writer = JournalFileWriter(form)
        headerSize = form.headerSize
    }

    /// Adds entries. Their messages are their sequence numbers.
    ///
    /// - Parameters:
    ///   -   - monotonic: the time of the first entry. If nil, the times follow the sequence numbers.
    ///   -   - more: further fields of each entry.
    ///   -   - isErased: writes zeros after the header.
    mutating func append(
        _ sequences: ClosedRange<Int>,
        monotonic: Int? = nil,
        more: [String] = [],
        isErased: Bool = false
    ) throws {
        for sequence in sequences {
            let time = UInt64(monotonic.map { $0 + sequence - sequences.lowerBound } ?? sequence * 1000)
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(sequence),
                    realtime: 1_700_000_000_000_000 + time,
                    monotonic: time,
                    boot: Self.boot,
                    fields: [Array("MESSAGE=\(sequence)".utf8), Array("_BOOT_ID=\(Self.boot)".utf8)]
                        + more.map { Array($0.utf8) }
                )
            )
        }
        try write(isErased: isErased)
    }

    /// Writes the whole file to its path: into the existing file, or into a new one.
    ///
    /// - Parameter isErased: writes zeros after the header.
    func write(isErased: Bool = false) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Command.Failure(description: "\(path): errno \(errno)") }
        defer { close(descriptor) }
        let bytes = writer.bytes()
        let body = isErased ? Array(repeating: 0, count: bytes.count - headerSize) : Array(bytes[headerSize...])
        let written =
            pwrite(descriptor, body, body.count, off_t(headerSize)) + pwrite(descriptor, bytes, headerSize, 0)
        guard written == bytes.count else { throw Command.Failure(description: "\(path): errno \(errno)") }
    }

    /// Changes the header's offset of the first array of entries. Returns the old offset.
    func exchangeFirstArray(_ offset: UInt64) throws -> UInt64 {
        let place: off_t = 176
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Command.Failure(description: "\(path): errno \(errno)") }
        defer { close(descriptor) }
        var old: UInt64 = 0
        var new = offset.littleEndian
        guard pread(descriptor, &old, 8, place) == 8, pwrite(descriptor, &new, 8, place) == 8 else {
            throw Command.Failure(description: "\(path): errno \(errno)")
        }
        return UInt64(littleEndian: old)
    }
}
