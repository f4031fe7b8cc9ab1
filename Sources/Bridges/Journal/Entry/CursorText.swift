/// What a cursor of libsystemd tells: `s=<id>;i=<hex>;b=<id>;m=<hex>;t=<hex>;x=<hex>`.
///
/// Reading the times and the boot from it saves asking for each: they come out of the same object.
struct CursorText {
    var sequenceID = 0..<0
    var sequence: UInt64 = 0
    var boot = 0..<0
    var monotonic: UInt64 = 0
    var realtime: UInt64 = 0
    private var checksumStart: Int?

    init?(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        var seen = 0
        while index + 1 < bytes.count {
            let key = bytes[index]
            // Behind the times there is only the checksum, which is hardly ever wanted.
            if key == UInt8(ascii: "x"), seen >= 5 {
                checksumStart = index + 2
                break
            }
            guard bytes[index + 1] == UInt8(ascii: "=") else { return nil }
            index += 2
            let start = index
            if key == UInt8(ascii: "s") || key == UInt8(ascii: "b") {
                // An id has 32 digits, which need no look.
                if bytes.count > start + 32 { index = start + 32 }
                while index < bytes.count, bytes[index] != UInt8(ascii: ";") { index += 1 }
                if key == UInt8(ascii: "s") { sequenceID = start..<index } else { boot = start..<index }
                seen += 1
            } else {
                guard let number = Self.hexadecimal(bytes, &index) else { return nil }
                switch key {
                case UInt8(ascii: "i"): sequence = number
                case UInt8(ascii: "m"): monotonic = number
                case UInt8(ascii: "t"): realtime = number
                default: break
                }
                seen += 1
            }
            index += 1
        }
        guard seen >= 5, boot.count == 32 else { return nil }
    }

    /// See ``EntryChecksum``. To be given the bytes again.
    func checksum(in bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard var index = checksumStart, index < bytes.count else { return nil }
        return Self.hexadecimal(bytes, &index)
    }

    private static func hexadecimal(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> UInt64? {
        var number: UInt64 = 0
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ";") {
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: return nil
            }
            guard index - start < 16 else { return nil }
            number = number << 4 | UInt64(digit)
            index += 1
        }
        return index > start ? number : nil
    }
}
