import Records

/// The frames of the compact framing. Each has its length before it, and begins with its kind. See <doc:TapBridge>.
enum CompactFrame {
    enum Kind: UInt8 {
        /// A message of varlink.
        case message = 0
        /// The names of events that follow.
        case names = 1
        case event = 2
    }

    /// The length is a number of this many bytes.
    static let lengthSize = 4
    /// The most bytes of a frame, its length not counted.
    static let sizeLimit = 16 << 20
    /// The most names in the table.
    static let namesLimit = 4096
    /// The most bytes that the frames of the names in the table have together, and of one of them.
    static let namesSizeLimit = 1 << 20
    static let oneNamesSizeLimit = 64 << 10
    /// The kind and the number of a frame of names.
    static let namesHeaderSize = 5
    /// The kind and the four numbers of a frame of an event.
    static let eventHeaderSize = 29

    /// Writes a frame whose content `body` writes.
    static func append(_ kind: Kind, to output: inout OutputBuffer, _ body: (inout OutputBuffer) -> Void) {
        let start = output.count
        output.append(littleEndian: UInt32(0))
        output.append(kind.rawValue)
        body(&output)
        let length = UInt32(output.count - start - lengthSize)
        for place in 0..<lengthSize {
            output.replace(at: start + place, with: UInt8(truncatingIfNeeded: length >> UInt32(8 * place)))
        }
    }

    /// Writes a message of varlink as a frame, without the zero byte behind it.
    static func append(message write: (inout OutputBuffer) -> Void, to output: inout OutputBuffer) {
        append(.message, to: &output) { output in
            write(&output)
            output.truncate(to: output.count - 1)
        }
    }
}

extension OutputBuffer {
    mutating func append(littleEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { append($0) }
    }
}
