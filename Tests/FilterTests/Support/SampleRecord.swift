import Filter

/// A record whose fields are identified by their number in `JournalSchema`.
final class SampleRecord: FilterRecord {
    enum Field {
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case double(Double)
        case text([UInt8])
        case microseconds(Int64)
        case null
        case bytes([UInt8])
        case duration(Int64)
        case list([Field])
        /// Keys and values alternately.
        case map([Field])
        case json(String)
    }

    private var fields: [Int: FieldValue] = [:]
    private var more: [Int: [FieldValue]] = [:]
    private var allocations: [UnsafeMutableRawPointer] = []
    private(set) var asked: [Int] = []

    init(_ fields: [Int: Field]) {
        for (id, field) in fields { self.fields[id] = value(field) }
    }

    /// Further values of repeated fields, after the first.
    init(_ fields: [Int: Field], more: [Int: [Field]]) {
        for (id, field) in fields { self.fields[id] = value(field) }
        for (id, values) in more { self.more[id] = values.map(value) }
    }

    private func value(_ field: Field) -> FieldValue {
        switch field {
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .uint(let value): .uint(value)
        case .double(let value): .double(value)
        case .microseconds(let value): .timestamp(microseconds: value)
        case .null: .null
        case .duration(let value): .duration(nanoseconds: value)
        case .text(let content): .text(bytes(content))
        case .bytes(let content): .bytes(bytes(content))
        case .json(let text): .json(bytes(Array(text.utf8)))
        case .list(let elements): .list(list(elements))
        case .map(let entries): .map(list(entries))
        }
    }

    /// Exactly as large as the content, so that a sanitizer detects a read beyond it.
    private func bytes(_ content: [UInt8]) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 1)
        copy.copyBytes(from: content)
        if let start = copy.baseAddress { allocations.append(start) }
        return UnsafeRawBufferPointer(copy)
    }

    private func list(_ elements: [Field]) -> UnsafeBufferPointer<FieldValue> {
        let copy = UnsafeMutableBufferPointer<FieldValue>.allocate(capacity: elements.count)
        _ = copy.initialize(from: elements.map(value))
        if let start = copy.baseAddress { allocations.append(UnsafeMutableRawPointer(start)) }
        return UnsafeBufferPointer(copy)
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

    func value(of field: FieldID, at index: Int) -> FieldValue {
        if index == 0 { return value(of: field) }
        let further = more[field.rawValue] ?? []
        return index <= further.count ? further[index - 1] : .absent
    }
}
