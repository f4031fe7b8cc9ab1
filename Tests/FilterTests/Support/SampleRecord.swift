import Filter

/// A record whose fields are given by their number in `JournalSchema`.
final class SampleRecord: FilterRecord {
    enum Field {
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case double(Double)
        case text([UInt8])
        case microseconds(Int64)
    }

    private var fields: [Int: FieldValue] = [:]
    private var allocations: [UnsafeMutableRawBufferPointer] = []
    private(set) var asked: [Int] = []

    init(_ fields: [Int: Field]) {
        for (id, field) in fields {
            switch field {
            case .bool(let value): self.fields[id] = .bool(value)
            case .int(let value): self.fields[id] = .int(value)
            case .uint(let value): self.fields[id] = .uint(value)
            case .double(let value): self.fields[id] = .double(value)
            case .microseconds(let value): self.fields[id] = .timestamp(microseconds: value)
            case .text(let bytes):
                // Exactly as large as the text, so that reading beyond it is seen by a sanitizer.
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
                copy.copyBytes(from: bytes)
                allocations.append(copy)
                self.fields[id] = .text(UnsafeRawBufferPointer(copy))
            }
        }
    }

    convenience init(
        message: String? = nil,
        priority: Int64? = nil,
        unit: String? = nil,
        pid: Int64? = nil,
        identifier: String? = nil
    ) {
        var fields: [Int: Field] = [:]
        fields[0] = message.map { .text(Array($0.utf8)) }
        fields[1] = priority.map { .int($0) }
        fields[2] = unit.map { .text(Array($0.utf8)) }
        fields[3] = pid.map { .int($0) }
        fields[8] = identifier.map { .text(Array($0.utf8)) }
        self.init(fields)
    }

    deinit {
        for allocation in allocations { allocation.deallocate() }
    }

    func value(of field: FieldID) -> FieldValue {
        asked.append(field.rawValue)
        return fields[field.rawValue] ?? .absent
    }
}
