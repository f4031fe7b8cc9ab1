import JournalWriter

/// A journal file that is put together by hand, object by object, in ways that no writer uses.
struct RawJournal {
    typealias Header = JournalFileWriter.HeaderField
    typealias Field = JournalObjectField

    private(set) var bytes = [UInt8](repeating: 0, count: 264)
    private(set) var entryCount = 0

    /// - Parameter flags: the incompatible flags.
    init(flags: UInt8 = 0) {
        for (index, byte) in "LPKSHHRH".utf8.enumerated() { bytes[index] = byte }
        bytes[Header.incompatibleFlags] = flags
        bytes[Header.state] = 2
        set(Header.headerSize, to: 264)
    }

    var end: Int { bytes.count }

    mutating func set(_ offset: Int, to number: UInt64) {
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }

    mutating func set(_ offset: Int, to number: Int) { set(offset, to: UInt64(number)) }

    /// - Parameter size: the size that the object claims; by default its real size.
    @discardableResult
    mutating func add(_ type: UInt8, flags: UInt8 = 0, size: UInt64? = nil, _ words: [UInt64], _ tail: [UInt8] = [])
        -> Int
    {
        let offset = bytes.count
        bytes += [UInt8](repeating: 0, count: 16 + 8 * words.count) + tail
        bytes[offset] = type
        bytes[offset + Field.flags] = flags
        set(offset + Field.size, to: size ?? UInt64(bytes.count - offset))
        for (index, word) in words.enumerated() { set(offset + 16 + 8 * index, to: word) }
        bytes += [UInt8](repeating: 0, count: -bytes.count & 7)
        return offset
    }

    mutating func data(_ payload: [UInt8], flags: UInt8 = 0, hash: UInt64 = 0, size: UInt64? = nil) -> Int {
        add(1, flags: flags, size: size, [hash, 0, 0, 0, 0, 0], payload)
    }

    mutating func data(_ text: String) -> Int { data(Array(text.utf8)) }

    mutating func entry(_ items: [Int], size: UInt64? = nil) -> Int {
        entryCount += 1
        let number = UInt64(entryCount)
        return add(3, size: size, [number, number, number, 7, 7, 0] + items.flatMap { [UInt64($0), 0] })
    }

    mutating func array(_ slots: [Int], next: Int = 0) -> Int { add(6, [UInt64(next)] + slots.map { UInt64($0) }) }

    /// Completes the header, with one array for all entries.
    mutating func finish(_ slots: [Int]) -> [UInt8] {
        let array = array(slots)
        set(Header.entryArray, to: array)
        set(Header.entryCount, to: slots.count)
        set(Header.arenaSize, to: end - 264)
        return bytes
    }
}
