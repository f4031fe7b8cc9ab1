/// The objects of a journal file: what they are and whether they can be what they say.
///
/// The layout is documented: https://systemd.io/JOURNAL_FILE_FORMAT/
struct JournalObjects {
    let file: MappedFile
    let isCompact: Bool
    let start: Int

    static let dataType: UInt8 = 1
    static let entryType: UInt8 = 3
    static let arrayType: UInt8 = 6
    static let itemsOfEntry = 64
    static let itemsOfArray = 24

    init(_ file: MappedFile, _ header: JournalFileHeader) {
        self.file = file
        isCompact = header.incompatibleFlags & 0x10 != 0
        start = Int(clamping: header.headerSize)
    }

    private var end: Int { file.bytes.count }

    /// The size of an entry's reference to one of its fields.
    private var entryItem: Int { isCompact ? 4 : 16 }
    /// The size of an array's reference to an entry.
    var arrayItem: Int { isCompact ? 4 : 8 }

    func reference(_ offset: Int) -> Int {
        isCompact ? Int(file.shortNumber(offset)) : Int(clamping: file.number(offset))
    }

    /// The type and size of the object there, if something like an object is.
    func object(_ offset: Int) -> (type: UInt8, size: Int)? {
        guard offset >= start, offset & 7 == 0, offset <= end - 16 else { return nil }
        let first = file.number(offset)
        // Type, flags, and six bytes that are always 0.
        guard first >> 16 == 0, first >> 8 & 0xFF < 8 else { return nil }
        let type = UInt8(truncatingIfNeeded: first)
        let size = Int(clamping: file.number(offset + 8))
        guard (1...7).contains(type), size >= 16, size <= end - offset else { return nil }
        return (type, size)
    }

    /// Whether a whole entry is there, of whose fields at least one is left.
    func isEntry(_ offset: Int) -> Bool {
        guard let (type, size) = object(offset), type == Self.entryType, size > Self.itemsOfEntry,
            (size - Self.itemsOfEntry) % entryItem == 0, file.number(offset + 16) > 0,
            file.number(offset + 24) < 1 << 55
        else { return false }
        return stride(from: offset + Self.itemsOfEntry, to: offset + size, by: entryItem).contains { item in
            object(reference(item))?.type == Self.dataType
        }
    }

    /// Whether every entry that the file's index leads to is there, as many as the header counts.
    func isIntact(_ header: JournalFileHeader) -> Bool {
        var remaining = Int(clamping: header.entryCount)
        var array = Int(clamping: header.entryArrayOffset)
        while remaining > 0 {
            guard let (type, size) = object(array), type == Self.arrayType, size > Self.itemsOfArray else {
                return false
            }
            for item in stride(from: array + Self.itemsOfArray, to: array + size - arrayItem + 1, by: arrayItem) {
                guard remaining > 0 else { break }
                let offset = reference(item)
                guard object(offset)?.type == Self.entryType else { return false }
                remaining -= 1
                file.passed(min(offset, array))
            }
            let next = Int(clamping: file.number(array + 16))
            // Arrays lie one behind the other; going back would be going round.
            guard remaining == 0 || next > array else { return false }
            array = next
        }
        return true
    }

    /// The places of all entries that are left, found by going through the file and ignoring its index.
    func allEntries() -> [Int] {
        var found: [Int] = []
        var offset = start
        while offset <= end - 16 {
            file.passed(offset - (1 << 20))
            guard let (type, size) = object(offset) else {
                offset = nextObject(after: offset)
                continue
            }
            if type == Self.entryType, isEntry(offset) { found.append(offset) }
            offset += (size + 7) & ~7
        }
        return found
    }

    /// Behind damage: the next place where two objects follow each other.
    private func nextObject(after offset: Int) -> Int {
        var next = (offset + 8) & ~7
        while next <= end - 16 {
            if let (_, size) = object(next) {
                let behind = next + (size + 7) & ~7
                if object(behind) != nil { return next }
            }
            file.passed(next - (1 << 20))
            next += 8
        }
        return next
    }
}
