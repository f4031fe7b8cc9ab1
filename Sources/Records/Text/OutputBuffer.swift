import Glibc

/// Bytes on their way out, in memory that is used again.
@frozen
package struct OutputBuffer: ~Copyable {
    // Owned by this value alone and freed with it.
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline package internal(set) var count = 0

    package init(capacity: Int = 1 << 16) {
        self.capacity = max(capacity, 64)
        start = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit {
        start.deallocate()
    }

    @inlinable
    package var isEmpty: Bool { count == 0 }

    @inlinable
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Clears the content, and frees the memory of an unusually large one.
    package mutating func removeAll() {
        count = 0
        guard capacity > 1 << 20 else { return }
        start.deallocate()
        capacity = 1 << 16
        start = .allocate(byteCount: capacity, alignment: 16)
    }

    @inlinable
    package mutating func truncate(to count: Int) {
        self.count = min(count, self.count)
    }

    @inlinable
    package mutating func replace(at index: Int, with byte: UInt8) {
        start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }

    /// Reserves capacity for `extra` more bytes; returns where to write them. To be followed by ``advance(by:)``.
    @inlinable
    @inline(__always)
    package mutating func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < extra { grow(extra) }
        return (start + count).assumingMemoryBound(to: UInt8.self)
    }

    @inlinable
    @inline(__always)
    package mutating func advance(by written: Int) {
        count += written
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), source, bytes.count)
        count += bytes.count
    }

    @inlinable
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    package mutating func append(spaces: Int) {
        memset(reserve(spaces), 0x20, spaces)
        count += spaces
    }

    package mutating func append(decimal number: UInt64) {
        let target = reserve(20)
        var length = 1
        var bound: UInt64 = 10
        while length < 20, number >= bound {
            length += 1
            bound = length < 20 ? bound &* 10 : bound
        }
        // From the end, eight digits a division: a time in microseconds has sixteen.
        var rest = number
        var end = length
        while end > 8 {
            let (quotient, low) = rest.quotientAndRemainder(dividingBy: 100_000_000)
            end -= 8
            UnsafeMutableRawPointer(target + end).storeBytes(of: Self.eightDigits(low).littleEndian, as: UInt64.self)
            rest = quotient
        }
        // The zeros before the first digit are left out.
        let digits = Self.eightDigits(rest) >> UInt64(8 * (8 - end))
        for index in 0..<end { target[index] = UInt8(truncatingIfNeeded: digits >> UInt64(8 * index)) }
        count += length
    }

    /// The digits of a number below 100,000,000, with leading zeros, the first one in the lowest byte.
    @inline(__always)
    private static func eightDigits(_ number: UInt64) -> UInt64 {
        // Halved three times, all parts at once; the products are quotients rounded down.
        let (high, low) = number.quotientAndRemainder(dividingBy: 10_000)
        var digits = high | low << 32
        let hundreds = (digits &* 10_486) >> 20 & 0x0000_007F_0000_007F
        digits = (digits &- hundreds &* 100) << 16 | hundreds
        let tens = (digits &* 103) >> 10 & 0x000F_000F_000F_000F
        digits = (digits &- tens &* 10) << 8 | tens
        return digits | 0x3030_3030_3030_3030
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        memcpy(moved, start, count)
        start.deallocate()
        start = moved
        capacity = larger
    }
}
