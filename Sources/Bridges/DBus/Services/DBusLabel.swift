/// systemd's encoding of any text as an element of an object path: letters and digits stay as they are. Every other
/// byte, and a digit at the beginning, is `_` and two hexadecimal digits; the empty text is `_`. See
/// `sd_bus_path_encode(3)`.
enum DBusLabel {
    static func escaped(_ text: String) -> String {
        guard !text.isEmpty else { return "_" }
        var bytes: [UInt8] = []
        for (place, byte) in text.utf8.enumerated() {
            if isLetter(byte) || isDigit(byte) && place > 0 {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "_"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text; a `_` that is not followed by two digits is literal.
    static func unescaped(_ label: Substring) -> String {
        guard label != "_" else { return "" }
        let escaped = Array(label.utf8)
        var bytes: [UInt8] = []
        var place = 0
        while place < escaped.count {
            if escaped[place] == UInt8(ascii: "_"), place + 2 < escaped.count, let high = value(escaped[place + 1]),
                let low = value(escaped[place + 2])
            {
                bytes.append(high << 4 | low)
                place += 3
            } else {
                bytes.append(escaped[place])
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The unit whose object has a path; nil for another object.
    static func unit(ofPath path: String) -> String? {
        let prefix = SystemdManager.path + "/unit/"
        guard path.hasPrefix(prefix) else { return nil }
        let label = path.dropFirst(prefix.count)
        return label.isEmpty || label.contains("/") ? nil : unescaped(label)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
