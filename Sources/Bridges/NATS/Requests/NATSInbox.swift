import CNATS
import Glibc

/// The subjects on which a connection's answers are expected: a name of its own, and the number of the request.
// Unchecked: used on the link's thread alone.
final class NATSInbox: @unchecked Sendable {
    private static let maxDigits = 20

    private let name: String
    /// The reply subject of the request that is being sent, ended by a zero. One buffer, for a text of its own for each request would be an
    /// allocation.
    private let reply: UnsafeMutableBufferPointer<CChar>
    private let prefix: Int

    init(_ name: String) {
        self.name = name
        let start = Array(name.utf8) + [UInt8(ascii: ".")]
        prefix = start.count
        reply = .allocate(capacity: start.count + Self.maxDigits + 1)
        reply.initialize(repeating: 0)
        for (index, byte) in start.enumerated() { reply[index] = CChar(bitPattern: byte) }
    }

    deinit { reply.deallocate() }

    /// All its subjects.
    var pattern: String { name + ".*" }

    func withReply<Result>(_ number: UInt64, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // From the end of the buffer to the front, then moved behind the prefix.
        var place = reply.count - 1
        var rest = number
        repeat {
            place -= 1
            reply[place] = CChar(bitPattern: UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        let count = reply.count - 1 - place
        for index in 0..<count { reply[prefix + index] = reply[place + index] }
        reply[prefix + count] = 0
        return body(UnsafePointer(reply.baseAddress.unsafelyUnwrapped))
    }

    /// The number of the request that a message answers.
    static func number(of message: OpaquePointer) -> UInt64? {
        guard let subject = natsMsg_GetSubject(message), let dot = strrchr(subject, CInt(UInt8(ascii: "."))) else {
            return nil
        }
        let digits = UnsafePointer(dot) + 1
        return UInt64(decimal: UnsafeRawBufferPointer(start: digits, count: strlen(digits)))
    }
}
