/// Reads the blocks of a zone file, all of whose numbers have their highest byte first.
struct ZoneFileReader {
    struct Header {
        let version: UInt8
        let universal, standard, leaps, times, types, letters: Int

        func size(timeWidth: Int) -> Int {
            times * (timeWidth + 1) + types * 6 + letters + leaps * (timeWidth + 4) + standard + universal
        }
    }

    struct Block {
        var times: [Int64] = []
        var kinds: [Int] = []
        var offsets: [(offset: Int64, isSummer: Bool)] = []
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func header() -> Header? {
        guard bytes.count - position >= 44, bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
            return nil
        }
        let version = bytes[position + 4]
        position += 20
        let counts = (0..<6).map { _ in Int(number(4)) }
        // No zone has changed more often than this; a larger number is no zone.
        guard counts.allSatisfy({ (0...20_000).contains($0) }) else { return nil }
        return Header(
            version: version,
            universal: counts[0],
            standard: counts[1],
            leaps: counts[2],
            times: counts[3],
            types: counts[4],
            letters: counts[5]
        )
    }

    mutating func skip(_ count: Int) -> Bool {
        guard bytes.count - position >= count else { return false }
        position += count
        return true
    }

    mutating func block(_ header: Header) -> Block? {
        let size = header.size(timeWidth: 8)
        guard bytes.count - position >= size else { return nil }
        let end = position + size
        var block = Block()
        for _ in 0..<header.times { block.times.append(number(8)) }
        for _ in 0..<header.times { block.kinds.append(Int(number(1))) }
        for _ in 0..<header.types {
            let offset = Int64(Int32(truncatingIfNeeded: number(4)))
            block.offsets.append((offset, number(1) != 0))
            _ = number(1)
        }
        position = end
        return block
    }

    /// The text between the line breaks at the end.
    func rest() -> ArraySlice<UInt8> {
        bytes[position...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    }

    /// Within bounds: callers have made sure that so many bytes are there.
    private mutating func number(_ width: Int) -> Int64 {
        var value: Int64 = 0
        for _ in 0..<width {
            value = value << 8 | Int64(bytes[position])
            position += 1
        }
        return value
    }
}
