/// A value whose fields are read by a ``FieldTable``. It keeps copies of the texts that were read, and is used by one
/// thread.
public final class TableRecord<Subject>: FilterRecord {
    private let fields: [TableField<Subject>]
    private let subject: Subject
    private var copies: [UnsafeMutableRawBufferPointer] = []

    init(_ fields: [TableField<Subject>], _ subject: Subject) {
        self.fields = fields
        self.subject = subject
    }

    deinit {
        for copy in copies { copy.deallocate() }
    }

    public func value(of field: FieldID) -> FieldValue {
        guard fields.indices.contains(field.rawValue), let content = fields[field.rawValue].read(subject) else {
            return .absent
        }
        switch content {
        case .value(let value): return value
        case .text(let text): return .text(copied(text.utf8))
        case .bytes(let bytes): return .bytes(copied(bytes))
        case .json(let text): return .json(copied(text))
        }
    }

    /// The copy does not move as long as the record lives, which outlives the evaluation.
    private func copied(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        guard !bytes.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        copies.append(copy)
        return UnsafeRawBufferPointer(copy)
    }
}
