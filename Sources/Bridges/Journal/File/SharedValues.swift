import Glibc

/// Values that many entries have in common, found by the place of their DATA object in their file.
///
/// Holds up to 4 MiB in up to 12,288 values, and forgets all of them when it is full.
final class SharedValues {
    struct Value: BitwiseCopyable {
        /// The file's number and the place in it; 0 for none.
        var key: UInt64
        var start: UnsafeRawPointer
        var count: UInt32
        /// What a filter has found out about the field: 0 nothing yet, -1 not wanted, else its slot + 1.
        var slot: Int32

        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(count)) }
    }

    private let table: UnsafeMutablePointer<Value>
    private let memory: UnsafeMutableRawPointer
    private var used = 0
    private var count = 0

    private static let tableBits = 14
    private static let mostValues = 12_288
    private static let capacity = 4 << 20
    /// Larger values are read anew each time.
    static let largest = 64 << 10

    init() {
        memory = .allocate(byteCount: Self.capacity, alignment: 16)
        table = .allocate(capacity: 1 << Self.tableBits)
        table.initialize(repeating: Value(key: 0, start: memory, count: 0, slot: 0), count: 1 << Self.tableBits)
    }

    deinit {
        table.deallocate()
        memory.deallocate()
    }

    /// The value's place in the table, valid until the next ``add(_:_:)``.
    @inline(__always)
    func find(_ key: UInt64) -> UnsafeMutablePointer<Value>? {
        var index = Self.place(of: key)
        while true {
            let value = table + index
            if value.pointee.key == key { return value }
            if value.pointee.key == 0 { return nil }
            index = (index &+ 1) & (1 << Self.tableBits &- 1)
        }
    }

    /// Keeps a copy. `nil` if the value is too large for that.
    ///
    /// All values found before are invalid if there was no room for this one; see ``reserve()``.
    func add(_ key: UInt64, _ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<Value>? {
        guard bytes.count <= Self.largest, let source = bytes.baseAddress, used + bytes.count <= Self.capacity,
            count < 1 << Self.tableBits - 1
        else { return nil }
        memcpy(memory + used, source, bytes.count)
        var index = Self.place(of: key)
        while table[index].key != 0 { index = (index + 1) & (1 << Self.tableBits - 1) }
        table[index] = Value(key: key, start: UnsafeRawPointer(memory + used), count: UInt32(bytes.count), slot: 0)
        used += bytes.count
        count += 1
        return table + index
    }

    /// To be called between two entries: makes room if there is little, by forgetting everything.
    @inline(__always)
    func reserve() {
        if count >= Self.mostValues || used > Self.capacity - (1 << 20) { forget() }
    }

    @inline(never)
    private func forget() {
        table.update(repeating: Value(key: 0, start: memory, count: 0, slot: 0), count: 1 << Self.tableBits)
        used = 0
        count = 0
    }

    @inline(__always)
    private static func place(of key: UInt64) -> Int {
        Int((key &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - tableBits))
    }
}
