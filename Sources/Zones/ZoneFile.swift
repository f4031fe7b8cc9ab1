/// A TZif file (RFC 9636).
struct ZoneFile {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The zone that the file describes; nil when it is no such file, or damaged.
    func zone() -> TimeZone? {
        guard let first = Header(bytes, at: 0) else { return nil }
        guard !first.isOfFirstVersion else { return zone(Block(bytes, first, at: 0, timeSize: 4), rule: nil) }
        // From version 2 on the data of 32-bit times are followed by the same in 64 bits.
        let second = Header.size + first.dataSize(timeSize: 4)
        guard let header = Header(bytes, at: second), let block = Block(bytes, header, at: second, timeSize: 8),
            let footer = footer(at: block.end)
        else { return nil }
        if footer.isEmpty { return zone(block, rule: nil) }
        return ZoneRule(footer).flatMap { zone(block, rule: $0) }
    }

    /// From before the Big Bang, which zic writes for the first of all times, to the year 141,000, so that microseconds can be reckoned with.
    private static let sensible: ClosedRange<Int64> = -(1 << 59)...(1 << 42)

    private func zone(_ block: Block?, rule: ZoneRule?) -> TimeZone? {
        guard let block, let types = block.types() else { return nil }
        let (times, kinds, leaps) = (block.times, block.kinds, block.leaps)
        guard kinds.allSatisfy({ $0 < types.count }), isAscending(times), isAscending(leaps.map(\.time)) else {
            return nil
        }
        var transitions: [Int64] = []
        var passed = 0
        for time in times {
            while passed < leaps.count, leaps[passed].time <= time { passed += 1 }
            // Files below `right/` count leap seconds; POSIX time does not.
            let (transition, isTooFar) = time.subtractingReportingOverflow(passed == 0 ? 0 : leaps[passed - 1].total)
            if isTooFar || !Self.sensible.contains(transition) { return nil }
            transitions.append(transition)
        }
        return TimeZone(transitions: transitions, kinds: kinds, types: types, rule: rule)
    }

    private func isAscending(_ times: [Int64]) -> Bool {
        zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// A line feed, the rule, a line feed.
    private func footer(at start: Int) -> [UInt8]? {
        guard start < bytes.count, bytes[start] == 10 else { return nil }
        let line = bytes[(start + 1)...]
        return line.firstIndex(of: 10).map { Array(line[..<$0]) }
    }
}

extension ZoneFile {
    /// The counts of a block's entries.
    fileprivate struct Header {
        static var size: Int { 44 }

        let isOfFirstVersion: Bool
        private let universalFlags, standardFlags: Int
        let leaps, times, types, characters: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + Self.size <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
                return nil
            }
            isOfFirstVersion = bytes[start + 4] == 0
            guard isOfFirstVersion || bytes[start + 4] >= UInt8(ascii: "2") else { return nil }
            func count(_ number: Int) -> Int {
                bytes[start + 20 + number * 4..<start + 24 + number * 4].reduce(0) { $0 << 8 | Int($1) }
            }
            universalFlags = count(0)
            standardFlags = count(1)
            leaps = count(2)
            times = count(3)
            types = count(4)
            characters = count(5)
        }

        func dataSize(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standardFlags + universalFlags
        }
    }

    /// The data behind a header. All of them are within the file.
    fileprivate struct Block {
        private let bytes: [UInt8]
        private let header: Header
        private let timeSize: Int
        private let start: Int
        let end: Int

        init?(_ bytes: [UInt8], _ header: Header, at position: Int, timeSize: Int) {
            self.bytes = bytes
            self.header = header
            self.timeSize = timeSize
            start = position + Header.size
            end = start + header.dataSize(timeSize: timeSize)
            guard end <= bytes.count, header.types > 0 else { return nil }
        }

        var times: [Int64] {
            (0..<header.times).map { integer(at: start + $0 * timeSize, size: timeSize) }
        }

        var kinds: [UInt8] {
            let kinds = start + header.times * timeSize
            return Array(bytes[kinds..<kinds + header.times])
        }

        func types() -> [TimeZone.LocalTimeType]? {
            let types = start + header.times * (timeSize + 1)
            let names = bytes[(types + header.types * 6)...].prefix(header.characters)
            var result: [TimeZone.LocalTimeType] = []
            for position in stride(from: types, to: names.startIndex, by: 6) {
                let offset = integer(at: position, size: 4)
                let name = Int(bytes[position + 5])
                // No clock is more than 26 hours off.
                guard name < names.count, abs(offset) < 93_600 else { return nil }
                result.append(
                    TimeZone.LocalTimeType(
                        offset: offset,
                        isDaylightSaving: bytes[position + 4] != 0,
                        abbreviation: String(decoding: names.dropFirst(name).prefix { $0 != 0 }, as: UTF8.self)
                    )
                )
            }
            return result
        }

        /// The leap seconds: their times, in time that counts leap seconds, and the total up to and including each.
        var leaps: [(time: Int64, total: Int64)] {
            let leaps = start + header.times * (timeSize + 1) + header.types * 6 + header.characters
            return (0..<header.leaps).map { number in
                let position = leaps + number * (timeSize + 4)
                return (integer(at: position, size: timeSize), integer(at: position + timeSize, size: 4))
            }
        }

        private func integer(at position: Int, size: Int) -> Int64 {
            var value: Int64 = bytes[position] >= 128 ? -1 : 0
            for byte in bytes[position..<position + size] { value = value << 8 | Int64(byte) }
            return value
        }
    }
}
