import Glibc

/// A number with six digits, as `%g` of printf(3) writes it.
enum DBusShortNumber {
    static func text(_ number: Double) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let length = withVaList([number]) { vsnprintf(buffer.baseAddress, buffer.count, "%g", $0) }
            return String(
                decoding: buffer.prefix(Int(max(0, length))).map { UInt8(bitPattern: $0) },
                as: UTF8.self
            )
        }
    }
}
