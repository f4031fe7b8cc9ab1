import Bus
import Records

/// Makes cursors of the places that a source tells: each is a place and a hash, as in
/// `inode=917532;offset=4711;tail=64:9c1f0a77d2e4b815;record=5e0c9b4d21f37a68`.
///
/// A sink takes entries with the same cursor for one, and a place alone comes again with other records: when a log is truncated and written
/// anew, when a file has the inode of one that was deleted, on another machine. So each record has a hash of the record and of the hash before
/// it, which at the beginning is random. Behind a saved cursor, the same records get the same cursors again.
struct RecordCursors {
    private static let mark = ";record="

    private var hash: UInt64

    /// - Parameters:
    ///   - cursor: behind which records are read; `nil` at the source's beginning.
    ///   - beginning: the hash where the cursor has none, as at the source's beginning and in a cursor file of an earlier version.
    init(behind cursor: String?, beginning: UInt64) {
        hash = cursor.flatMap { Self.parts(of: $0).hash } ?? beginning
    }

    /// The place in a cursor.
    static func place(in cursor: String) -> String { String(parts(of: cursor).place) }

    private static func parts(of cursor: String) -> (place: Substring, hash: UInt64?) {
        guard let end = cursor.lastIndex(of: ";"), cursor[end...].hasPrefix(mark),
            let hash = UInt64(cursor[end...].dropFirst(mark.count), radix: 16)
        else { return (cursor[...], nil) }
        return (cursor[..<end], hash)
    }

    /// The cursor of the next record.
    mutating func cursor(of record: Record, at place: String) -> String {
        record.content.withMessage { add($0) }
        record.content.withExactFields { fields in
            for field in fields {
                add(field.name)
                switch field.value {
                case .text(let bytes), .bytes(let bytes), .json(let bytes): add(bytes)
                default: field.value.withPlainBytes { add($0) }
                }
            }
        }
        return cursor(at: place)
    }

    /// The cursor of a place behind records that are not forwarded.
    func cursor(at place: String) -> String { "\(place)\(Self.mark)\(String(hash, radix: 16))" }

    private mutating func add(_ part: UnsafeRawBufferPointer?) {
        if let part { hash = FNV1a.hash(part, from: hash) }
        // A byte that no UTF-8 has, between two parts.
        hash = FNV1a.hash(CollectionOfOne(0xFF), from: hash)
    }
}
