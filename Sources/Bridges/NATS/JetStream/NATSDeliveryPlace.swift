import CNATS
import Glibc

/// The stream and the numbers in the reply subject of a stream's message. They are read for each message, so the subject is not taken
/// apart into texts.
struct NATSDeliveryPlace {
    let stream: String
    let sequence: UInt64
    let consumerSequence: UInt64
    let attempt: Int
    /// In nanoseconds since 1970.
    let storedAt: Int64
    let pending: UInt64

    /// - Returns: nil for another subject.
    init?(_ reply: UnsafeBufferPointer<UInt8>) {
        // Newer servers put a domain and an account before the stream.
        let offset = Self.tokenCount(reply) >= 11 ? 2 : 0
        var rest = reply[...]
        guard Self.next(&rest)?.elementsEqual("$JS".utf8) == true,
            Self.next(&rest)?.elementsEqual("ACK".utf8) == true
        else { return nil }
        for _ in 0..<offset { _ = Self.next(&rest) }
        guard let stream = Self.next(&rest), Self.next(&rest) != nil,
            let attempt = Self.number(&rest).flatMap({ Int(exactly: $0) }), let sequence = Self.number(&rest),
            let consumerSequence = Self.number(&rest),
            let storedAt = Self.number(&rest).flatMap({ Int64(exactly: $0) }), let pending = Self.number(&rest)
        else { return nil }
        self.stream = String(decoding: UnsafeBufferPointer(rebasing: stream), as: UTF8.self)
        self.sequence = sequence
        self.consumerSequence = consumerSequence
        self.attempt = attempt
        self.storedAt = storedAt
        self.pending = pending
    }

    /// - Parameter message: a message of libnats.
    init?(of message: OpaquePointer) {
        guard let reply = natsMsg_GetReply(message) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: reply, count: strlen(reply))
        self.init(bytes.assumingMemoryBound(to: UInt8.self))
    }

    private static func tokenCount(_ reply: UnsafeBufferPointer<UInt8>) -> Int {
        reply.reduce(1) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 }
    }

    private static func next(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
        let token = rest[..<end]
        rest = end < rest.endIndex ? rest[(end + 1)...] : rest[end...]
        return token.isEmpty ? nil : token
    }

    private static func number(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        next(&rest).flatMap { UInt64(decimal: $0) }
    }
}
