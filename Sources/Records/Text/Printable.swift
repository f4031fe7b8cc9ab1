/// The bytes that journalctl takes for text: UTF-8 without control characters other than tab and line feed, and
/// without code points that are no characters.
package enum Printable {
    /// The length of the character at `index`, or 0 if there is none. For bytes from 0x7F on.
    @inline(__always)
    package static func length(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ count: Int) -> Int {
        let first = bytes[index]
        let length: Int
        var scalar: UInt32
        switch first {
        case 0xC2...0xDF: (length, scalar) = (2, UInt32(first & 0x1F))
        case 0xE0...0xEF: (length, scalar) = (3, UInt32(first & 0x0F))
        case 0xF0...0xF4: (length, scalar) = (4, UInt32(first & 0x07))
        default: return 0
        }
        guard index + length <= count else { return 0 }
        for offset in 1..<length {
            let next = bytes[index + offset]
            guard next & 0xC0 == 0x80 else { return 0 }
            scalar = scalar << 6 | UInt32(next & 0x3F)
        }
        return isText(scalar, length) ? length : 0
    }

    private static func isText(_ scalar: UInt32, _ length: Int) -> Bool {
        switch scalar {
        case ..<0xA0: false
        case ..<0x800: length == 2
        case 0xD800...0xDFFF, 0xFDD0...0xFDEF: false
        case ..<0x10000: length == 3 && scalar & 0xFFFE != 0xFFFE
        default: length == 4 && scalar <= 0x10FFFF && scalar & 0xFFFE != 0xFFFE
        }
    }

    package static func isPrintable(_ value: UnsafeRawBufferPointer) -> Bool {
        value.withMemoryRebound(to: UInt8.self) { value in
            guard let bytes = value.baseAddress else { return true }
            var index = 0
            while index < value.count {
                let byte = bytes[index]
                if byte < 0x7F {
                    guard byte >= 0x20 || byte == 0x09 || byte == 0x0A else { return false }
                    index += 1
                } else {
                    let length = length(bytes, index, value.count)
                    guard length > 0 else { return false }
                    index += length
                }
            }
            return true
        }
    }
}
