/// Memory for values made during one evaluation, or for a program's constants; freed all at once.
///
/// Making none costs nothing: an evaluation that only compares and searches never allocates.
struct Arena: ~Copyable {
    private var blocks: [UnsafeMutableRawPointer] = []
    private var used = 0

    /// The bytes that may be allocated: joining a field to itself again and again must not exhaust the machine.
    private let limit: Int

    init(limit: Int = .max) {
        self.limit = limit
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// Whether an evaluation may allocate so many more bytes. A program's constants are bounded by their source.
    func mayHold(_ byteCount: Int) -> Bool {
        byteCount <= limit - used
    }

    /// Whether it may hold a list of so many values.
    func mayHold(values count: Int) -> Bool { mayHold(count * MemoryLayout<Value>.stride) }

    mutating func text(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) -> UnsafeRawBufferPointer {
        guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let block = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        blocks.append(block)
        used += count
        let buffer = UnsafeMutableRawBufferPointer(start: block, count: count)
        fill(buffer)
        return UnsafeRawBufferPointer(buffer)
    }

    mutating func text(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        text(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    mutating func list(_ values: some Collection<Value>) -> UnsafeBufferPointer<Value> {
        guard !values.isEmpty else { return UnsafeBufferPointer(start: nil, count: 0) }
        let stride = MemoryLayout<Value>.stride
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: values.count * stride,
            alignment: MemoryLayout<Value>.alignment
        )
        blocks.append(block)
        used += values.count * stride
        let buffer = UnsafeMutableBufferPointer(
            start: block.bindMemory(to: Value.self, capacity: values.count),
            count: values.count
        )
        // Values are trivial, so the block may be freed without deinitialising them.
        _ = buffer.initialize(from: values)
        return UnsafeBufferPointer(buffer)
    }

    /// Memory for a program's variables.
    mutating func slots(_ count: Int) -> UnsafeMutablePointer<Value> {
        let slots = UnsafeMutablePointer<Value>.allocate(capacity: count)
        slots.initialize(repeating: .null, count: count)
        blocks.append(UnsafeMutableRawPointer(slots))
        return slots
    }

    mutating func value(_ owned: OwnedValue) -> Value {
        switch owned {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .uint(let value): return .uint(value)
        case .double(let value): return .double(value)
        case .string(let content): return .string(text(content))
        case .bytes(let content): return .bytes(text(content))
        case .list(let elements):
            var values: [Value] = []
            for element in elements { values.append(value(element)) }
            return .list(list(values))
        case .map(let entries):
            var values: [Value] = []
            for entry in entries { values.append(value(entry)) }
            var allowance = Allowance.unlimited
            // A constant's keys were checked when it was made.
            return .map(list(MapEntries.ordered(values, &allowance).entries))
        case .timestamp(let time): return .timestamp(time)
        case .duration(let nanoseconds): return .duration(nanoseconds)
        case .type(let kind): return .type(kind)
        case .optional(let content): return .optional(content.flatMap { boxed(value($0)) })
        case .ip(let address): return .ip(text(address))
        case .cidr(let network): return .cidr(text(network))
        }
    }

    /// The content of an optional.
    mutating func boxed(_ value: Value) -> UnsafePointer<Value>? {
        list(CollectionOfOne(value)).baseAddress
    }
}
