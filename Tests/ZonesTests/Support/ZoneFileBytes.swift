/// The bytes of a zone file, made from its parts (RFC 9636, section 3).
struct ZoneFileBytes {
    var version: UInt8 = UInt8(ascii: "2")
    var transitions: [(time: Int64, kind: UInt8)] = []
    var types: [(offset: Int32, isDaylightSaving: Bool, name: UInt8)] = [(0, false, 0)]
    var leaps: [(time: Int64, total: Int32)] = []
    var names = Array("LMT\0STD\0DST\0".utf8)
    var footer: String? = ""

    var bytes: [UInt8] {
        if version == 0 { return block(timeSize: 4) }
        // Slim files have only one type in the first block.
        let first = ZoneFileBytes(version: version, names: [0]).block(timeSize: 4)
        return first + block(timeSize: 8) + (footer.map { Array("\n\($0)\n".utf8) } ?? [])
    }

    private func block(timeSize: Int) -> [UInt8] {
        var result = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, leaps.count, transitions.count, types.count, names.count] {
            result += Self.bigEndian(Int64(count), 4)
        }
        for transition in transitions { result += Self.bigEndian(transition.time, timeSize) }
        result += transitions.map(\.kind)
        for type in types {
            result += Self.bigEndian(Int64(type.offset), 4) + [type.isDaylightSaving ? 1 : 0, type.name]
        }
        result += names
        for leap in leaps { result += Self.bigEndian(leap.time, timeSize) + Self.bigEndian(Int64(leap.total), 4) }
        return result
    }

    static func bigEndian(_ value: Int64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> Int64(8 * (size - 1 - $0))) }
    }
}
