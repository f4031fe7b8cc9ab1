/// Finds entries by going through a file from object to object, without its index.
struct EntryScan {
    private let file: JournalFile
    /// Sound files need few of these, and they take long.
    private var farLookups = 1 << 16
    private var missingFields = 1 << 18

    init(_ file: JournalFile) {
        self.file = file
    }

    /// The places of all entries that still have a field, each divided by 8. Places beyond 32 GiB are not searched.
    mutating func entries() -> [UInt32] {
        var found: [UInt32] = []
        var offset = file.header.firstObject
        let end = min(file.size, Int(UInt32.max) << 3) - 16
        while offset <= end {
            guard let (type, size) = object(offset) else {
                offset = nextObject(after: offset, end)
                continue
            }
            if type == JournalFile.ObjectType.entry, isEntry(offset) { found.append(UInt32(offset >> 3)) }
            let behind = offset + (size + 7) & ~7
            // A size that does not lead to another object may be wrong, and hide the objects within.
            offset = isFollowed(offset, behind, end) ? behind : nextObject(after: offset, end)
        }
        return found
    }

    /// The type and size of the object there, if something like an object is.
    @inline(__always)
    private func object(_ offset: Int) -> (type: UInt8, size: Int)? {
        guard let start = file.bytes(offset, 16, .stream) else { return nil }
        let first = start.number(at: 0)
        // Type, flags, and six bytes that are always 0.
        guard first >> 16 == 0, first >> 8 & 0xFF < 8 else { return nil }
        let type = UInt8(truncatingIfNeeded: first)
        let size = Int(clamping: start.number(at: 8))
        guard (1...7).contains(type), size >= 16, size <= file.size - offset else { return nil }
        return (type, size)
    }

    /// Whether an object ends where another one begins, or nothing yet.
    private mutating func isFollowed(_ offset: Int, _ behind: Int, _ end: Int) -> Bool {
        if behind > end { return true }
        if behind - offset > Self.near {
            guard farLookups > 0 else { return false }
            farLookups -= 1
        }
        return object(behind) != nil || file.bytes(behind, 16, .stream)?.number(at: 0) == 0
    }

    /// Whether an entry is there that still has a field.
    private mutating func isEntry(_ offset: Int) -> Bool {
        guard let entry = file.entry(at: offset, .stream) else { return false }
        let count = (entry.size - JournalFile.ObjectStart.entry) / file.itemSize
        for index in 0..<min(count, missingFields > 0 ? Self.maxTries : 1) {
            let place = offset + JournalFile.ObjectStart.entry + index * file.itemSize
            guard let item = file.bytes(place, file.isCompact ? 4 : 8, .stream) else { return false }
            let data = file.isCompact ? Int(item.shortNumber(at: 0)) : Int(clamping: item.number(at: 0))
            if file.object(data, JournalFile.ObjectType.data, minSize: file.payloadStart, .spot) != nil { return true }
            missingFields -= 1
        }
        return false
    }

    /// How many fields are searched for before an entry is taken for none.
    private static let maxTries = 64
    /// Most objects are smaller.
    private static let near = 64 << 10

    /// Behind damage: the next place where two objects follow each other.
    private func nextObject(after offset: Int, _ end: Int) -> Int {
        var next = (offset + 8) & ~7
        while next <= end {
            // Most objects are small, and the next small one is near.
            if let (_, size) = object(next), size < Self.near, case let behind = next + (size + 7) & ~7,
                behind == file.size || object(behind) != nil
            {
                return next
            }
            next += 8
            // A file of hardly anything but holes may be as large as a disk.
            if next & 0xFFFF == 0 { next = max(next, file.nextData(from: next) & ~7) }
        }
        return next
    }
}
