/// Finds entries by going through a file from object to object, without its index.
struct EntryScan {
    private let file: JournalFile

    init(_ file: JournalFile) {
        self.file = file
    }

    /// The places of all entries of which a field is left, each divided by 8. A place behind 32 GiB is not looked at.
    func entries() -> [UInt32] {
        var found: [UInt32] = []
        var offset = file.header.firstObject
        let end = min(file.size, Int(UInt32.max) << 3) - 16
        while offset <= end {
            guard let (type, size) = object(offset) else {
                offset = nextObject(after: offset, end)
                continue
            }
            if type == JournalFile.ObjectType.entry, isEntry(offset) { found.append(UInt32(offset >> 3)) }
            offset += (size + 7) & ~7
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

    private func isEntry(_ offset: Int) -> Bool {
        guard let entry = file.entry(at: offset, .stream) else { return false }
        var isReadable = false
        _ = file.forEachField(of: entry, .stream) { _, _ in
            isReadable = true
            return false
        }
        return isReadable
    }

    /// Behind damage: the next place where two objects follow each other.
    private func nextObject(after offset: Int, _ end: Int) -> Int {
        var next = (offset + 8) & ~7
        while next <= end {
            // Most objects are small, and one of those comes soon.
            if let (_, size) = object(next), size < 64 << 10, case let behind = next + (size + 7) & ~7,
                behind == file.size || object(behind) != nil
            {
                return next
            }
            next += 8
        }
        return next
    }
}
