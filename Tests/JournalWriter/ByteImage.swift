/// A file's bytes while it is written. Numbers are little-endian.
struct ByteImage {
    private(set) var bytes: [UInt8]

    init(count: Int) { bytes = [UInt8](repeating: 0, count: count) }

    var count: Int { bytes.count }

    mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        withUnsafeBytes(of: number.littleEndian) { put($0, at: offset) }
    }

    mutating func put(_ source: [UInt8], at offset: Int) {
        source.withUnsafeBytes { put($0, at: offset) }
    }

    private mutating func put(_ source: UnsafeRawBufferPointer, at offset: Int) {
        precondition(offset >= 0 && source.count <= bytes.count - offset, "beyond the image")
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyMemory(from: source) }
    }

    /// Adds zeros up to `count` bytes.
    mutating func grow(to count: Int) {
        guard count > bytes.count else { return }
        bytes.append(contentsOf: [UInt8](repeating: 0, count: count - bytes.count))
    }

    mutating func grow(toMultipleOf unit: Int) { grow(to: (bytes.count + unit - 1) / unit * unit) }
}
