import Bus
import Glibc
import SystemPackage

/// A file to which entries are appended that a receiver refuses, so that they are not lost: a JSON object a line, with the entry's
/// `cursor`, the `reason`, and the `request` that was refused, in Base64.
struct DeadLetters: Sendable {
    let path: String

    /// Appends entries, and returns when the disk has them.
    func append(_ entries: [(cursor: String, payload: [UInt8])], reason: String) throws(ForwardFailure) {
        var text = ""
        for (cursor, payload) in entries {
            text +=
                #"{"cursor":"\#(Self.escaped(cursor))","reason":"\#(Self.escaped(reason))","request":"\#(Self.base64(payload))"}"#
            text += "\n"
        }
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(path),
                .writeOnly,
                options: [.create, .append, .closeOnExec],
                permissions: [.ownerReadWrite]
            )
            try descriptor.closeAfter {
                try descriptor.writeAll(text.utf8)
                if fsync(descriptor.rawValue) < 0 { throw Errno(rawValue: errno) }
            }
        } catch {
            throw ForwardFailure("cannot write refused entries to \(path): \(error)", .end)
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The standard alphabet of RFC 4648.
    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            for place in 0..<4 {
                text.append(
                    place <= part.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3F)] : UInt8(ascii: "=")
                )
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
