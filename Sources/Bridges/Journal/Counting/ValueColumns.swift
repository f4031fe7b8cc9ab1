/// The values of some fields in the entries of one file, each as the place of its DATA object, found by the values' own lists of
/// entries. No entry is read for that but its head.
struct ValueColumns {
    let count: Int
    /// When the entries were received, if that is asked for.
    private(set) var times: [UInt64] = []
    private(set) var received: ClosedRange<UInt64> = 0...0
    /// For each field and entry the place of the value; zero where the entry has none.
    private(set) var columns: [[UInt32]] = []

    /// A file whose columns would take more memory is gone through, in bytes.
    private static let maxSize = 24 << 20
    /// More values than one for so many entries are not worth their lists.
    private static let entriesForValue = 16
    /// Places are kept as multiples of it, as all objects are.
    static let unit = 8

    /// `nil` where the file's lists do not agree with each other, an entry has two values of a field, or there are too many values or
    /// entries.
    ///
    /// - Parameter groupings: how many numbers there will be for each entry beside the columns.
    init?(_ file: JournalFile, names: [[UInt8]], withTimes: Bool, groupings: Int) {
        count = file.count
        let size = count * (4 * (names.count + groupings) + (withTimes ? 8 : 0)) + file.size / Self.unit / 64 * 12
        guard count > 0, size <= Self.maxSize, file.size / Self.unit <= UInt32.max else { return nil }
        // Before anything is read of the entries: most files that cannot be counted have too many values.
        let limit = max(64, count / Self.entriesForValue)
        let values = names.compactMap { file.values(of: $0, limit: limit) }
        guard values.count == names.count else { return nil }
        var ordinals = Ordinals(size: file.size)
        var last = EntryRef()
        if withTimes { times.reserveCapacity(count) }
        for index in 0..<count {
            guard let offset = file.offset(at: index), let entry = file.entry(at: offset, .stream),
                offset > last.offset, offset % Self.unit == 0, entry.sequence > last.sequence,
                entry.realtime >= last.realtime, entry.boot != last.boot || entry.monotonic >= last.monotonic
            else { return nil }
            if !names.isEmpty { ordinals.insert(offset) }
            if withTimes { times.append(entry.realtime) }
            received = (index == 0 ? entry.realtime : received.lowerBound)...entry.realtime
            last = entry
        }
        ordinals.count()
        for (name, values) in zip(names, values) {
            guard let column = Self.column(of: name, values, in: file, ordinals, count) else { return nil }
            columns.append(column)
        }
    }

    private static func column(
        of name: [UInt8],
        _ values: [Int],
        in file: JournalFile,
        _ ordinals: Ordinals,
        _ count: Int
    ) -> [UInt32]? {
        var column = [UInt32](repeating: 0, count: count)
        for value in values {
            guard let line = file.payload(at: value, .spot), line.count > name.count,
                line.starts(with: name), line[name.count] == UInt8(ascii: "="),
                let postings = Postings(file, data: value), !postings.isDamaged,
                let places = postings.places(in: 0..<file.size)
            else { return nil }
            let isWhole = column.withUnsafeMutableBufferPointer { column in
                places.allSatisfy { place in
                    guard let ordinal = ordinals[place], column[ordinal] == 0 else { return false }
                    column[ordinal] = UInt32(truncatingIfNeeded: value / unit)
                    return true
                }
            }
            guard isWhole, places.count == postings.count else { return nil }
        }
        return column
    }
}

/// The number of each place in a sorted list: a bit for each place that is in it, and how many there are before each word of bits.
private struct Ordinals {
    private var words: [UInt64]
    private var before: [UInt32]

    init(size: Int) {
        let count = size / ValueColumns.unit / 64 + 1
        words = Array(repeating: 0, count: count)
        before = Array(repeating: 0, count: count)
    }

    mutating func insert(_ place: Int) {
        let bit = place / ValueColumns.unit
        words[bit / 64] |= 1 << UInt64(bit % 64)
    }

    /// To be called when all places are in it.
    mutating func count() {
        var sum: UInt32 = 0
        for index in words.indices {
            before[index] = sum
            sum += UInt32(words[index].nonzeroBitCount)
        }
    }

    /// `nil` if the place is not in the list.
    subscript(place: Int) -> Int? {
        let bit = place / ValueColumns.unit
        guard place >= 0, place % ValueColumns.unit == 0, bit / 64 < words.count else { return nil }
        let (word, mask) = (words[bit / 64], UInt64(1) << UInt64(bit % 64))
        guard word & mask != 0 else { return nil }
        return Int(before[bit / 64]) + (word & (mask - 1)).nonzeroBitCount
    }
}
