import Glibc

/// Encodes entries straight from a journal's memory, in a form that another module defines. Used by one thread.
///
/// A field that several entries share is encoded once, and added to each of them.
package protocol EntryEncoder: AnyObject {
    /// Whether there is enough to hand on.
    var isFull: Bool { get }
    /// Begins an entry, and forgets one that was begun and not ended.
    ///
    /// - Parameter realtime: when the journal received it, in microseconds since 1970.
    func begin(cursor: UnsafeRawBufferPointer, realtime: UInt64)
    /// Encodes a field by itself. The result depends on nothing else.
    ///
    /// - Parameter body: is lent the bytes, and their kind, which is below 16.
    func encode(
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ body: (_ encoded: UnsafeRawBufferPointer, _ kind: UInt8) -> Void
    )
    /// Adds an encoded field to the entry. No two of them have the same name.
    ///
    /// - Parameter value: the field's value as the journal has it.
    func add(_ encoded: UnsafeRawBufferPointer, kind: UInt8, value: UnsafeRawBufferPointer)
    /// Ends the entry.
    func end()
    /// Encodes a whole entry, which may have several fields of one name.
    func encode(_ entry: JournalEntry)
    /// The entries that have ended, encoded together; none is left.
    func take() -> [UInt8]
}

/// An element of a journal that is encoded.
package enum EncodedItem: Sendable {
    /// One or more entries encoded together: as many as came at once. The cursor is that of the last one.
    case entries([UInt8], last: String)
    case gap(JournalGap)
    case skipped(SkippedFields)
    case caughtUp
    /// The cursor of the last entry that was evaluated, whether or not it was wanted. All wanted entries up to it came before.
    case place(String)
}

/// Encodes entries, one after the other, until there are enough to hand on.
struct EncodedProjection: JournalProjection {
    private(set) var count = 0
    private let encoder: any EntryEncoder
    private let seen = SeenNames()
    /// The last entry that was taken, if any is left.
    private var last: Last?

    private enum Last {
        case inFile(EntryKey)
        case kept(JournalEntry)
    }

    init(_ encoder: any EntryEncoder) {
        self.encoder = encoder
    }

    mutating func entry(in reader: JournalReader) -> EncodedItem? {
        guard let key = reader.fileEntry?.key, reader.encode(with: encoder, seen) else { return nil }
        return taken(.inFile(key))
    }

    mutating func entry(in reader: borrowing ExportReader) -> EncodedItem? { entry(reader.entry()) }

    mutating func entry(_ entry: JournalEntry) -> EncodedItem? {
        encoder.encode(entry)
        return taken(.kept(entry))
    }

    private mutating func taken(_ entry: Last) -> EncodedItem? {
        count += 1
        last = entry
        return encoder.isFull ? gathered() : nil
    }

    mutating func gathered() -> EncodedItem? {
        switch last.take() {
        case .inFile(let key): .entries(encoder.take(), last: CursorWriting.text(of: key))
        case .kept(let entry): .entries(encoder.take(), last: entry.cursor)
        case nil: nil
        }
    }

    func gap(_ gap: JournalGap) -> EncodedItem { .gap(gap) }
    func skipped(_ fields: SkippedFields) -> EncodedItem { .skipped(fields) }
    var caughtUp: EncodedItem { .caughtUp }
    func place(_ cursor: @autoclosure () -> String) -> EncodedItem? { .place(cursor()) }
}

extension FileEntry {
    /// The bits of a name's hash that give way to the kind of an encoded field.
    private static let kindMask: UInt64 = 0xF

    /// Encodes the entry's fields. Answers how many could not be read; `nil` if a name may be there more than once. It is not ended.
    func encode(with encoder: any EntryEncoder, _ seen: SeenNames) -> Int? {
        withCursor { encoder.begin(cursor: $0, realtime: key.entry.realtime) }
        seen.beginEntry()
        var isSimple = true
        let values = values
        let unreadable = forEachField { line, shared in
            guard let base = line.baseAddress, let equals = memchr(base, 0x3D, line.count), equals > base else {
                return true
            }
            let length = UnsafeRawPointer(equals) - base
            let value = UnsafeRawBufferPointer(start: base + length + 1, count: line.count - length - 1)
            let rendering = shared.map { values.rendering(of: $0) }
            if let rendering, rendering.pointee.start != nil {
                let mark = rendering.pointee.hash
                isSimple = !seen.mayRepeat(mark | Self.kindMask)
                if isSimple {
                    encoder.add(rendering.pointee.bytes, kind: UInt8(mark & Self.kindMask), value: value)
                }
                return isSimple
            }
            let name = UnsafeRawBufferPointer(start: base, count: length)
            let hash = SeenNames.hash(name) | Self.kindMask
            isSimple = !seen.mayRepeat(hash)
            guard isSimple else { return false }
            encoder.encode(name, value) { encoded, kind in
                encoder.add(encoded, kind: kind, value: value)
                if let rendering { values.keep(encoded, hash: hash ^ Self.kindMask | UInt64(kind), as: rendering) }
            }
            return true
        }
        return isSimple ? unreadable : nil
    }
}
