import Glibc

/// Takes a stream in the journal export format apart, whatever the pieces in which it comes.
///
/// Fields are `NAME=text` on a line, or a line `NAME`, then the value's length as 8 bytes, least significant first, the
/// value, and a line feed. An empty line ends an entry. See https://systemd.io/JOURNAL_EXPORT_FORMATS/
///
/// A value: it is driven by ``feed(_:)`` and ``next(into:)`` and does nothing else. A field's bytes are kept until all
/// of it is there.
struct ExportParser: ~Copyable {
    enum Result {
        /// The scratch has an entry.
        case entry
        /// It takes more bytes to go on.
        case needsMore
        case failed(problem: String, byteOffset: UInt64, line: UInt64)
    }

    /// The largest value that is believed. journald takes none larger by default.
    static let largestValue = 768 << 20
    static let largestName = 256

    private var buffer: [UInt8] = []
    /// How much of the buffer is dealt with.
    private var position = 0
    /// How far the buffer was searched for a line feed without finding one.
    private var searched = 0
    private var discarded: UInt64 = 0
    private var line: UInt64 = 1
    private var cursor: [UInt8] = []
    private var boot: [UInt8] = []
    private var realtime: UInt64 = 0
    private var monotonic: UInt64 = 0
    /// The entry being read has something in it.
    private(set) var isInsideEntry = false
    private var isStarted = false

    init() {}

    /// Where the parser stands.
    var byteOffset: UInt64 { discarded + UInt64(position) }
    var lineNumber: UInt64 { line }
    var hasRest: Bool { position < buffer.count || isInsideEntry }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if position > 0 {
            buffer.removeFirst(position)
            discarded += UInt64(position)
            searched -= position
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    mutating func next(into scratch: EntryScratch) -> Result {
        if !isStarted {
            isStarted = true
            scratch.clear()
        }
        while true {
            let from = max(searched, position)
            guard let end = Self.lineFeed(buffer, from) else {
                searched = buffer.count
                // A line without an end is a value like any other.
                return buffer.count - position > Self.largestValue
                    ? failure("a line of more than \(Self.largestValue) bytes", 0) : .needsMore
            }
            if end == position {
                position += 1
                line += 1
                if isInsideEntry { return complete(scratch) }
                continue
            }
            let length: Result? = text(upTo: end, scratch)
            if let length { return length }
        }
    }

    /// The end of the stream: an entry that has no empty line behind it is whole if its last field is.
    mutating func finish(into scratch: EntryScratch) -> Result {
        if position < buffer.count {
            let rest = buffer.count - position
            return failure(
                "the stream ends inside a field (\(rest) bytes of it are there); the entry it belongs to is lost",
                rest
            )
        }
        return isInsideEntry ? complete(scratch) : .needsMore
    }

    /// A line that is not empty. `nil` to go on with the next.
    private mutating func text(upTo end: Int, _ scratch: EntryScratch) -> Result? {
        let equals = buffer[position..<min(end, position + Self.largestName + 1)].firstIndex(of: UInt8(ascii: "="))
        let nameEnd = equals ?? end
        if let problem = Self.problem(withName: buffer[position..<nameEnd], isText: equals != nil) {
            return failure(problem, 0)
        }
        if equals != nil {
            guard add(position..<nameEnd, nameEnd + 1..<end, scratch) else {
                return failure("an entry of more than 4 GiB", 0)
            }
            position = end + 1
            line += 1
            return nil
        }
        guard buffer.count - end - 1 >= 8 else {
            searched = end
            return .needsMore
        }
        let claimed = buffer.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: end + 1, as: UInt64.self))
        }
        let name = String(decoding: buffer[position..<nameEnd], as: UTF8.self)
        guard claimed <= Self.largestValue else {
            return failure(
                "the field \(name) claims to be \(claimed) bytes long, and at most \(Self.largestValue) are believed; "
                    + "after a line without = the value's length is expected, in 8 bytes",
                end + 1 - position
            )
        }
        let start = end + 9
        let valueEnd = start + Int(claimed)
        guard buffer.count > valueEnd else {
            searched = end
            return .needsMore
        }
        guard buffer[valueEnd] == 0x0A else {
            return failure(
                "a line feed was expected after the \(claimed) bytes of the field \(name)",
                valueEnd - position
            )
        }
        guard add(position..<nameEnd, start..<valueEnd, scratch) else {
            return failure("an entry of more than 4 GiB", 0)
        }
        line += 2 + UInt64(buffer[end + 1..<valueEnd].count { $0 == 0x0A })
        position = valueEnd + 1
        return nil
    }

    /// Adds a field, or takes note of what the entry has beside fields. The boot's id is both.
    private mutating func add(_ name: Range<Int>, _ value: Range<Int>, _ scratch: EntryScratch) -> Bool {
        isInsideEntry = true
        return buffer.withUnsafeBytes { bytes in
            let nameBytes = UnsafeRawBufferPointer(rebasing: bytes[name])
            let valueBytes = UnsafeRawBufferPointer(rebasing: bytes[value])
            guard nameBytes.first == UInt8(ascii: "_") else {
                return scratch.addField(name: nameBytes, value: valueBytes)
            }
            if nameBytes.elementsEqual("__CURSOR".utf8) {
                cursor = Array(valueBytes)
            } else if nameBytes.elementsEqual("__REALTIME_TIMESTAMP".utf8) {
                realtime = PlainDecimal.parse(valueBytes).map { UInt64(clamping: $0) } ?? 0
            } else if nameBytes.elementsEqual("__MONOTONIC_TIMESTAMP".utf8) {
                monotonic = PlainDecimal.parse(valueBytes).map { UInt64(clamping: $0) } ?? 0
            } else if nameBytes.starts(with: "__".utf8) {
                // Newer systemds add more of these, such as __SEQNUM. They are about the entry and are not fields of
                // it.
                return true
            } else {
                if nameBytes.elementsEqual("_BOOT_ID".utf8) { boot = Array(valueBytes) }
                return scratch.addField(name: nameBytes, value: valueBytes)
            }
            return true
        }
    }

    private mutating func complete(_ scratch: EntryScratch) -> Result {
        cursor.withUnsafeBytes { scratch.setCursor($0) }
        boot.withUnsafeBytes { scratch.setBootID($0) }
        scratch.setTimes(realtime: realtime, monotonic: monotonic)
        cursor.removeAll(keepingCapacity: true)
        boot.removeAll(keepingCapacity: true)
        realtime = 0
        monotonic = 0
        isInsideEntry = false
        isStarted = false
        return .entry
    }

    private func failure(_ problem: String, _ offset: Int) -> Result {
        .failed(problem: problem, byteOffset: byteOffset + UInt64(offset), line: line)
    }

    private static func problem(withName name: ArraySlice<UInt8>, isText: Bool) -> String? {
        let isName =
            !name.isEmpty && name.count <= largestName
            && name.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        if isName { return nil }
        let shown = String(decoding: name.prefix(40), as: UTF8.self).debugDescription
        return
            "a field was expected, NAME=value with a name of upper-case letters, digits and underscores, but found \(shown)"
            + (isText ? " before the =" : "")
    }

    private static func lineFeed(_ buffer: [UInt8], _ from: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, from < bytes.count,
                let found = memchr(base + from, 0x0A, bytes.count - from)
            else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }
}
