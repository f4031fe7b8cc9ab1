import Glibc

/// A link that sends: who numbers the values.
///
/// Each link has an id of its own, which is drawn at random, so a program that is started again is another sender, and its numbers
/// begin with 1 again.
public struct LinkSender: Sendable, Hashable, CustomStringConvertible {
    /// 16 hexadecimal digits.
    public let id: String
    /// The sender's program, process and host for people, such as `sensor[4711] on web-1`.
    public let name: String

    init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// A new one.
    init(program: String?) {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        id = String(repeating: "0", count: 16 - digits.count) + digits
        let path = CommandLine.arguments.first ?? ""
        let program = program ?? path.split(separator: "/").last.map(String.init) ?? "?"
        name = Self.visible("\(program)[\(getpid())] on \(Self.host)")
    }

    public var description: String { "\(name) (\(id))" }

    /// A text that fits into a header: printable ASCII, at most ``LinkMessage/textLimit`` bytes.
    static func visible(_ text: String) -> String {
        let bytes = text.utf8.prefix(LinkMessage.textLimit).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
            guard let base = name.baseAddress, gethostname(base, name.count) == 0 else { return "?" }
            name[name.count - 1] = 0
            return String(cString: base)
        }
    }
}
