import Glibc

/// One zone of the system's time zone database (RFC 9636): when its offset changed, and the rule that goes on after the
/// last change.
struct ZoneFile: Sendable {
    /// Seconds since 1970, ascending, with the offset that begins there.
    private var changes: [(time: Int64, offset: Int64)] = []
    /// Before the first change.
    private var first: Int64 = 0
    private var rule: ZoneRule?

    private static let directory = "/usr/share/zoneinfo/"
    /// The largest zone has some four thousand bytes.
    private static let largest = 1 << 16

    func offset(at seconds: Int64) -> Int64 {
        guard let last = changes.last else { return rule?.offset(at: seconds) ?? first }
        if seconds >= last.time { return rule?.offset(at: seconds) ?? last.offset }
        var lower = 0
        var upper = changes.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if changes[middle].time <= seconds { lower = middle + 1 } else { upper = middle }
        }
        return lower == 0 ? first : changes[lower - 1].offset
    }

    /// `nil` when the system has no such zone.
    static func load(_ name: [UInt8]) -> ZoneFile? {
        guard isZoneName(name) else { return nil }
        return load(path: directory + String(decoding: name, as: UTF8.self))
    }

    /// `nil` when there is no zone file at the path.
    static func load(path: String) -> ZoneFile? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: largest)
        var count = 0
        while count < largest {
            let more = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + count }, largest - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        return ZoneFile(Array(bytes[..<count]))
    }

    /// Names may come from strangers, and must not lead out of the directory.
    private static func isZoneName(_ name: [UInt8]) -> Bool {
        guard let first = name.first, isLetter(first) else { return false }
        return name.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "/_+-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// `nil` for anything that is no zone file of the second version or later.
    init?(_ bytes: [UInt8]) {
        var reader = ZoneFileReader(bytes)
        // The first block has times of 32 bits, and is there for programs that know no others.
        guard let old = reader.header(), old.version >= 0x32, reader.skip(old.size(timeWidth: 4)),
            let header = reader.header(), header.types > 0,
            let block = reader.block(header)
        else { return nil }
        for (time, type) in zip(block.times, block.kinds) {
            guard block.offsets.indices.contains(type) else { return nil }
            changes.append((time, block.offsets[type].offset))
        }
        first = (block.offsets.first { !$0.isSummer } ?? block.offsets[0]).offset
        rule = ZoneRule(reader.rest())
    }
}
