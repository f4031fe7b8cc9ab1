import CNATS
import Glibc

extension NATSMessage {
    /// A copy of a message of libnats.
    init(reading message: OpaquePointer) {
        let count = Int(natsMsg_GetDataLength(message))
        let data = natsMsg_GetData(message)
        self.init(
            subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
            reply: natsMsg_GetReply(message).map { String(cString: $0) },
            headers: NATSHeaders(reading: message),
            payload: data.map { Array(UnsafeRawBufferPointer(start: $0, count: max(0, count))) } ?? []
        )
    }

    /// About how many bytes a message of libnats has, headers included.
    ///
    /// libnats does not tell the size of headers before it has taken them apart, which takes several times as long as all else
    /// here. It puts subject, reply, headers and payload into one piece of memory, in this order, so the distance from subject to
    /// payload is the size of what lies before the payload. If they lie elsewhere in a later version, the headers are read.
    static func size(of message: OpaquePointer) -> Int {
        let count = max(0, Int(natsMsg_GetDataLength(message)))
        guard let subject = natsMsg_GetSubject(message), let data = natsMsg_GetData(message) else {
            return NATSMessage(reading: message).size
        }
        let distance = Int(bitPattern: data) - Int(bitPattern: subject)
        guard (0...Self.maxSize).contains(distance) else { return NATSMessage(reading: message).size }
        return distance + count
    }

    /// A server takes no message of more than 64 MiB.
    static let maxSize = 64 << 20
}

extension NATSHeaders {
    fileprivate init(reading message: OpaquePointer) {
        var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: CInt = 0
        guard natsMsgHeader_Keys(message, &names, &count) == NATS_OK, let names else {
            self.init()
            return
        }
        // The list is the caller's; the texts in it are the message's.
        defer { free(names) }
        var keys = UnsafeMutableBufferPointer(start: names, count: Int(count))
        // By their bytes, which is the order of their characters, too.
        keys.sort { first, second in
            guard let first, let second else { return first != nil }
            return strcmp(first, second) < 0
        }
        var fields: [Field] = []
        fields.reserveCapacity(keys.count)
        for case let key? in keys { Self.read(key, of: message, into: &fields) }
        self.init(fields)
    }

    /// Adds all values of a name.
    private static func read(_ key: UnsafePointer<CChar>, of message: OpaquePointer, into fields: inout [Field]) {
        var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var count: CInt = 0
        guard natsMsgHeader_Values(message, key, &values, &count) == NATS_OK, let values else { return }
        defer { free(values) }
        let name = String(cString: key)
        for index in 0..<Int(count) {
            if let value = values[index] { fields.append(Field(name, String(cString: value))) }
        }
    }
}
