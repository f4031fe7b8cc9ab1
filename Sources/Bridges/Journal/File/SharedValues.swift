import Glibc

/// Values that many entries have in common, found by the place of their DATA object in their file.
///
/// Holds a few MiB in up to three values for each four places of its table, with a format's rendering of each, and forgets all of them when it is
/// full.
///
/// It is a view of memory that its ``FileMemory`` owns; see ``WindowCache``.
struct SharedValues: BitwiseCopyable {
    struct Value: BitwiseCopyable {
        /// The file's number and the place in it; 0 for none.
        var key: UInt64
        var start: UnsafeRawPointer?
        var count: UInt32
        /// The field's slot in the filter, plus 1; 0 if it was not looked up yet, -1 if the filter does not read the field.
        var slot: Int32

        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(count)) }
    }

    /// A value as one format writes it, with its name.
    struct Rendering: BitwiseCopyable {
        /// `nil` if it was not written yet, or there was no capacity for it.
        var start: UnsafeRawPointer?
        var count = 0
        /// The name's hash, see ``SeenNames``; where entries are counted, the field's slot, see ``EntryCounter``.
        var hash: UInt64 = 0

        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    }

    private struct Use: BitwiseCopyable {
        var bytes = 0
        var values = 0
        /// One for each place of the table; made for the first format that asks.
        var renderings: UnsafeMutablePointer<Rendering>?
    }

    private var table: UnsafeMutablePointer<Value>
    private let memory: UnsafeMutableRawPointer
    private let use: UnsafeMutablePointer<Use>
    private let capacity: Int

    private var mask: Int
    private var shift: UInt64
    private var maxValues: Int { mask / 4 * 3 }
    /// Larger values are read anew each time.
    static let maxSize = 64 << 10

    /// - Parameters:
    ///   - capacity: how many bytes are held, at least 2 MiB.
    ///   - tableBits: there are places for two to this power values.
    init(capacity: Int, tableBits: Int) {
        self.capacity = capacity
        mask = 1 << tableBits - 1
        shift = UInt64(64 - tableBits)
        memory = .allocate(byteCount: capacity, alignment: 16)
        use = .allocate(capacity: 1)
        use.initialize(to: Use())
        table = ZeroedMemory.allocate(Value.self, mask + 1)
    }

    /// Gives the memory back. No copy can be used any more.
    func deallocate() {
        free(use.pointee.renderings)
        use.deallocate()
        free(table)
        memory.deallocate()
    }

    /// The value's place in the table, valid until the next ``add(_:_:)``.
    @inline(__always)
    func find(_ key: UInt64) -> UnsafeMutablePointer<Value>? {
        var index = place(of: key)
        while true {
            let value = table + index
            if value.pointee.key == key { return value }
            if value.pointee.key == 0 { return nil }
            index = (index &+ 1) & mask
        }
    }

    /// Keeps a copy. `nil` if the value is too large for that.
    ///
    /// All values found before are invalid if there was no capacity for this one; see ``FileMemory/reserveValues()``.
    func add(_ key: UInt64, _ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<Value>? {
        guard bytes.count <= Self.maxSize, let source = bytes.baseAddress,
            use.pointee.bytes + bytes.count <= capacity,
            use.pointee.values < mask
        else { return nil }
        let start = memory + use.pointee.bytes
        memcpy(start, source, bytes.count)
        use.pointee.bytes += bytes.count
        use.pointee.values += 1
        return insert(Value(key: key, start: UnsafeRawPointer(start), count: UInt32(bytes.count), slot: 0))
    }

    @inline(__always)
    private func insert(_ value: Value) -> UnsafeMutablePointer<Value> {
        var index = place(of: value.key)
        while table[index].key != 0 { index = (index + 1) & mask }
        table[index] = value
        return table + index
    }

    /// Makes place for twice as many values. Renderings are forgotten.
    mutating func grow() {
        let (values, count) = (table, mask + 1)
        free(use.pointee.renderings)
        use.pointee.renderings = nil
        mask = 2 * count - 1
        shift -= 1
        table = ZeroedMemory.allocate(Value.self, 2 * count)
        for index in 0..<count where values[index].key != 0 { _ = insert(values[index]) }
        free(values)
    }

    /// The rendering of the value in the one format in use.
    @inline(__always)
    func rendering(of value: UnsafeMutablePointer<Value>) -> UnsafeMutablePointer<Rendering> {
        (use.pointee.renderings ?? makeRenderings()) + (value - table)
    }

    @inline(never)
    private func makeRenderings() -> UnsafeMutablePointer<Rendering> {
        let renderings = ZeroedMemory.allocate(Rendering.self, mask + 1)
        use.pointee.renderings = renderings
        return renderings
    }

    /// Keeps a copy, if there is capacity for it.
    func keep(_ bytes: UnsafeRawBufferPointer, hash: UInt64, as rendering: UnsafeMutablePointer<Rendering>) {
        guard bytes.count <= Self.maxSize, use.pointee.bytes + bytes.count <= capacity else { return }
        let start = memory + use.pointee.bytes
        if let source = bytes.baseAddress { memcpy(start, source, bytes.count) }
        rendering.pointee = Rendering(start: UnsafeRawPointer(start), count: bytes.count, hash: hash)
        use.pointee.bytes += bytes.count
    }

    /// Whether there is little capacity for further values.
    @inline(__always)
    var isFull: Bool { use.pointee.values >= maxValues || isFullOfBytes }

    @inline(__always)
    var isFullOfBytes: Bool { use.pointee.bytes > capacity - (1 << 20) }

    func forget() {
        memset(table, 0, MemoryLayout<Value>.stride * (mask + 1))
        use.pointee.bytes = 0
        use.pointee.values = 0
        if let renderings = use.pointee.renderings {
            memset(renderings, 0, MemoryLayout<Rendering>.stride * (mask + 1))
        }
    }

    @inline(__always)
    private func place(of key: UInt64) -> Int {
        Int((key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }
}

/// Tables that are all zeros at first. Their pages take no time and no memory until they are used.
private enum ZeroedMemory {
    /// For values that are valid when all their bits are zero. To be given back with `free`.
    static func allocate<Element: BitwiseCopyable>(_: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
        guard let memory = calloc(count, MemoryLayout<Element>.stride) else { fatalError("no memory is left") }
        return memory.bindMemory(to: Element.self, capacity: count)
    }
}
