/// The names met in one entry, to notice a field that is there twice. It may mistake one name for another, which
/// costs a second pass, but overlooks none. Its memory is used again for the next entry.
final class SeenNames {
    private struct Place {
        var hash: UInt64
        var entry: UInt64
    }

    // Only this object owns it, and frees it.
    private let places: UnsafeMutablePointer<Place>
    private var entry: UInt64 = 0
    private var count = 0

    private static let size = 256

    init() {
        places = .allocate(capacity: Self.size)
        places.initialize(repeating: Place(hash: 0, entry: 0), count: Self.size)
    }

    deinit {
        places.deallocate()
    }

    func beginEntry() {
        entry &+= 1
        count = 0
    }

    /// Adds the name. Whether it may have been there before; always so once the table is full.
    @inline(__always)
    func mayRepeat(_ name: UnsafeRawBufferPointer) -> Bool { mayRepeat(Self.hash(name)) }

    /// The same by the name's ``hash(_:)``.
    @inline(__always)
    func mayRepeat(_ hash: UInt64) -> Bool {
        count &+= 1
        if count > Self.size / 2 { return true }
        var index = Int(truncatingIfNeeded: hash >> 56)
        while places[index].entry == entry {
            if places[index].hash == hash { return true }
            index = (index &+ 1) & (Self.size &- 1)
        }
        places[index] = Place(hash: hash, entry: entry)
        return false
    }

    @inline(__always)
    static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var mixed = UInt64(name.count)
        var index = 0
        while name.count &- index >= 8 {
            mixed = (mixed ^ name.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            mixed ^= mixed >> 32
            index &+= 8
        }
        while index < name.count {
            mixed = mixed << 8 ^ mixed >> 56 ^ UInt64(name[index])
            index &+= 1
        }
        mixed &*= 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29 &* 0xBF58_476D_1CE4_E5B9
    }
}
