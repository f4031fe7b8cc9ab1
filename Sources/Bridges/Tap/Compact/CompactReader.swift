/// Splits the tap's output in the compact framing into frames, and reads them.
struct CompactReader {
    /// The content of a frame.
    enum Frame {
        case event(TapEvent)
        /// A message of varlink.
        case message(ArraySlice<UInt8>)
    }

    /// A description of bytes that are no frame.
    struct Malformed: Error, Equatable {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    private var bytes: [UInt8] = []
    /// The beginning of the next frame.
    private var start = 0
    private var names: [TapEvent.Members] = []
    /// Bytes of the frames of all names in the table.
    private var namesSize = 0

    mutating func append(_ new: some Collection<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes.append(contentsOf: new)
    }

    /// The next frame; nil until more bytes come. After an error nothing can be read any more.
    mutating func next() throws(Malformed) -> Frame? {
        while true {
            guard let length = number(UInt32.self, at: start, before: bytes.count) else { return nil }
            guard length > 0 else { throw Malformed("a frame is empty") }
            guard length <= CompactFrame.sizeLimit else { throw Malformed("a frame has \(length) bytes") }
            let begin = start + CompactFrame.lengthSize
            let end = begin + Int(length)
            guard end <= bytes.count else { return nil }
            start = end
            switch CompactFrame.Kind(rawValue: bytes[begin]) {
            case .message: return .message(bytes[(begin + 1)..<end])
            case .names: try learn(begin..<end)
            case .event: return .event(try event(begin..<end))
            case nil: throw Malformed("a frame is of the unknown kind \(bytes[begin])")
            }
        }
    }

    private mutating func learn(_ frame: Range<Int>) throws(Malformed) {
        guard let number = number(UInt32.self, at: frame.lowerBound + 1, before: frame.upperBound) else {
            throw Malformed("a frame of names is too short")
        }
        if number == 0 {
            names.removeAll(keepingCapacity: true)
            namesSize = 0
        }
        guard number == names.count, number < CompactFrame.namesLimit else {
            throw Malformed("the names number \(number) follow \(names.count) names")
        }
        namesSize += frame.count
        guard namesSize <= CompactFrame.namesSizeLimit else { throw Malformed("the names are too long") }
        let content = bytes[(frame.lowerBound + CompactFrame.namesHeaderSize)..<frame.upperBound]
        guard let members = TapEvent.Members(Array(content)) else { throw Malformed("names are no JSON object") }
        names.append(members)
    }

    private func event(_ frame: Range<Int>) throws(Malformed) -> TapEvent {
        let begin = frame.lowerBound
        guard let number = number(UInt32.self, at: begin + 1, before: frame.upperBound),
            let sequence = self.number(UInt64.self, at: begin + 5, before: frame.upperBound),
            let time = self.number(Int64.self, at: begin + 13, before: frame.upperBound),
            let uptime = self.number(Int64.self, at: begin + 21, before: frame.upperBound)
        else { throw Malformed("a frame of an event is too short") }
        guard number < names.count else { throw Malformed("an event has the unknown names number \(number)") }
        guard let own = TapEvent.Members(Array(bytes[(begin + CompactFrame.eventHeaderSize)..<frame.upperBound])) else {
            throw Malformed("the content of an event is no JSON object")
        }
        let stamp = TapEvent.Stamp(sequence: sequence, time: time, uptime: uptime)
        return TapEvent(names: names[Int(number)], own: own, stamp)
    }

    private func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int, before end: Int) -> Number? {
        guard place + MemoryLayout<Number>.size <= end else { return nil }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }
}
