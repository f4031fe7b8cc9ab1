/// An id of 16 bytes. Journal files have one for a file, a machine, a boot and a sequence of entries.
package struct ID128: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(_ high: UInt64, _ low: UInt64) {
        bytes = [high, low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }

    package init(using random: inout some RandomNumberGenerator) {
        self.init(random.next(), random.next())
    }

    /// 32 hexadecimal digits.
    package var description: String {
        String(decoding: bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }
}
