public import Records

/// One entry of a journal as a value: it may be kept, and handed to other threads.
///
/// An entry is one allocation, whatever the number of its fields. Names and values are made into strings only when
/// asked for.
public struct JournalEntry: Sendable {
    let storage: EntryStorage

    init(copying view: EntryView) {
        storage = .copying(view)
    }

    /// The place of the entry; ``JournalStart/cursor(_:)`` continues after it. Empty if the entry came without one.
    public var cursor: String { storage.withView { String(decoding: $0.cursor, as: UTF8.self) } }

    /// When the entry was made: the first `_SOURCE_REALTIME_TIMESTAMP` if it is a time, else ``realtime``. The short format shows this
    /// time, and a filter's `time` and `age` are made from it.
    public var time: RecordTime {
        let time = withValue(of: EntryTime.source) { EntryTime.of(source: $0, received: storage.header.realtime) }
        return RecordTime(microseconds: Int64(clamping: time))
    }

    /// When the journal received the entry. The journal is sorted by this time.
    public var realtime: RecordTime { RecordTime(microseconds: Int64(clamping: storage.header.realtime)) }

    /// How long the boot ``bootID`` had lasted then.
    public var monotonic: Duration { .microseconds(storage.header.monotonic) }

    /// The boot in which the entry was received, as 32 hexadecimal digits.
    public var bootID: String { storage.withView { String(decoding: $0.bootID, as: UTF8.self) } }

    /// How large its fields are, with their names.
    package var byteCount: Int { Int(storage.header.byteCount) }

    /// The fields in the order in which the journal has them. A field that was given twice is there twice.
    public var fields: Fields { Fields(storage: storage) }

    /// The first value of the field, with U+FFFD for bytes that are not UTF-8.
    public subscript(name: String) -> String? {
        withValue(of: name) { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// The first value of the field, byte for byte.
    public func bytes(of name: String) -> [UInt8]? {
        withValue(of: name) { $0.map { Array($0) } }
    }

    /// All values of the field, byte for byte.
    public func values(of name: String) -> [[UInt8]] {
        storage.withView { view in
            withBytes(of: name) { name in
                view.slots.filter { view.hasName($0, name) }.map { Array(view.value(of: $0)) }
            }
        }
    }

    /// The first value of the field without copying it. The pointer is valid inside `body` only.
    public func withValue<Result>(of name: String, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        storage.withView { view in
            body(withBytes(of: name) { view.value(named: $0) })
        }
    }

    private func withBytes<Result>(of name: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var name = name
        return name.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}
