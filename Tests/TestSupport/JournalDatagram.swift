/// A parsed entry in the form in which it is sent to journald.
public struct JournalDatagram {
    public private(set) var fields: [(name: String, value: [UInt8])] = []

    /// - Throws: if it violates journald's native protocol.
    public init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: 10) else {
                throw DatagramReceiver.Failure(description: "no line's end")
            }
            let line = rest[rest.startIndex..<end]
            rest = rest[(end + 1)...]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields.append((String(decoding: line[..<equals], as: UTF8.self), Array(line[(equals + 1)...])))
                continue
            }
            guard rest.count >= 8 else { throw DatagramReceiver.Failure(description: "no length") }
            let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(8)
            guard rest.count > count else { throw DatagramReceiver.Failure(description: "too short") }
            fields.append((String(decoding: line, as: UTF8.self), Array(rest.prefix(count))))
            rest = rest.dropFirst(count + 1)
        }
    }

    /// The texts of the fields of this name.
    public subscript(name: String) -> [String] {
        fields.filter { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
    }
}
