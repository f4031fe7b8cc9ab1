/// Why bytes are not the protobuf message that was expected.
struct ProtobufFlaw: Error, Hashable, CustomStringConvertible {
    let description: String

    /// - Parameter place: the offset of the field in its message.
    init(_ what: String, at place: Int) {
        description = "\(what) at byte \(place)"
    }
}

/// Reads the fields of one protobuf message. No length that a message names is trusted.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    private let all: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
        all = bytes
        place = bytes.startIndex
    }

    /// The next field, or `nil` at the end of the message.
    mutating func next() throws(ProtobufFlaw) -> (field: UInt64, value: Value)? {
        guard place < all.endIndex else { return nil }
        let start = place - all.startIndex
        let tag = try varint()
        guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw ProtobufFlaw("a field without a number", at: start) }
        switch tag & 7 {
        case 0: return (tag >> 3, .number(try varint()))
        case 1: return (tag >> 3, .number(try fixed(8)))
        case 2:
            let count = try varint()
            guard count <= UInt64(all.endIndex - place) else {
                throw ProtobufFlaw("field \(tag >> 3) of \(count) bytes is longer than its message", at: start)
            }
            defer { place += Int(count) }
            return (tag >> 3, .bytes(all[place..<place + Int(count)]))
        case 5: return (tag >> 3, .number(try fixed(4)))
        default: throw ProtobufFlaw("a field of the unknown wire type \(tag & 7)", at: start)
        }
    }

    private mutating func varint() throws(ProtobufFlaw) -> UInt64 {
        let start = place - all.startIndex
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard place < all.endIndex else { throw ProtobufFlaw("a number without an end", at: start) }
            let byte = all[place]
            place += 1
            // The tenth byte has room for one bit.
            if shift == 63, byte > 1 { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw ProtobufFlaw("a number of more than 64 bits", at: start)
    }

    private mutating func fixed(_ count: Int) throws(ProtobufFlaw) -> UInt64 {
        guard all.endIndex - place >= count else {
            throw ProtobufFlaw("a number without an end", at: place - all.startIndex)
        }
        defer { place += count }
        return all[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
