/// A TZif file (RFC 8536), taken apart.
struct ZoneFile {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The zone that the file describes; nil when it is no such file, or damaged.
    func zone(named name: String) -> ZoneInfo? {
        guard let first = Header(bytes, at: 0) else { return nil }
        // From version 2 on the data of 32-bit times are followed by the same in 64 bits.
        guard first.version >= 2 else { return zone(named: name, first, at: 0, timeSize: 4) }
        let second = Header.size + first.dataSize(timeSize: 4)
        guard let header = Header(bytes, at: second) else { return nil }
        return zone(named: name, header, at: second, timeSize: 8)
    }

    private func zone(named name: String, _ header: Header, at start: Int, timeSize: Int) -> ZoneInfo? {
        let times = start + Header.size
        let indices = times + header.times * timeSize
        let typeData = indices + header.times
        let names = typeData + header.types * 6
        let end = start + Header.size + header.dataSize(timeSize: timeSize)
        guard end <= bytes.count, header.types > 0 else { return nil }

        var types: [ZoneInfo.LocalTimeType] = []
        for number in 0..<header.types {
            let position = typeData + number * 6
            let nameStart = Int(bytes[position + 5])
            guard nameStart < header.characters else { return nil }
            let nameBytes = bytes[names + nameStart..<names + header.characters].prefix { $0 != 0 }
            types.append(
                ZoneInfo.LocalTimeType(
                    offset: Int(truncatingIfNeeded: integer(at: position, size: 4)),
                    isDaylightSaving: bytes[position + 4] != 0,
                    abbreviation: String(decoding: nameBytes, as: UTF8.self)
                )
            )
        }
        var transitions: [Int64] = []
        var following: [ZoneInfo.LocalTimeType] = []
        for number in 0..<header.times {
            let type = Int(bytes[indices + number])
            guard type < types.count else { return nil }
            transitions.append(integer(at: times + number * timeSize, size: timeSize))
            following.append(types[type])
        }
        return ZoneInfo(
            name: name,
            transitions: transitions,
            types: following,
            initial: types[0],
            rule: timeSize == 8 ? rule(at: end) : nil
        )
    }

    /// The footer: a line feed, the rule, a line feed.
    private func rule(at position: Int) -> ZoneRule? {
        guard position < bytes.count, bytes[position] == 10 else { return nil }
        return ZoneRule(bytes[(position + 1)...].prefix { $0 != 10 })
    }

    private func integer(at position: Int, size: Int) -> Int64 {
        var value: Int64 = bytes[position] >= 128 ? -1 : 0
        for byte in bytes[position..<position + size] { value = value << 8 | Int64(byte) }
        return value
    }

    private struct Header {
        static var size: Int { 44 }

        let version: Int
        private let universalFlags, standardFlags, leapSeconds: Int
        let times, types, characters: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + Self.size <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
                return nil
            }
            version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 48
            func count(_ number: Int) -> Int {
                bytes[start + 20 + number * 4..<start + 24 + number * 4].reduce(0) { $0 << 8 | Int($1) }
            }
            universalFlags = count(0)
            standardFlags = count(1)
            leapSeconds = count(2)
            times = count(3)
            types = count(4)
            characters = count(5)
        }

        func dataSize(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4) + standardFlags
                + universalFlags
        }
    }
}
