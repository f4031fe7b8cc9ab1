/// The values of one field in the entries of a file.
struct ValueColumn {
    /// For each entry the number of its value, from 1 on; zero where it has none. Empty where no entry has one.
    let numbers: [UInt16]
    /// How many values there are.
    let count: Int
}

/// The values of some fields in the entries of one file, found by the values' own lists of entries. No entry is read for that.
struct ValueColumns {
    /// How many entries the file has.
    let count: Int
    /// When the entries were received. None where a time or a number goes back, and before they are asked for.
    private var times: [UInt64]?
    /// `nil` for a field of a file whose lists do not agree with each other, with entries that have two values of the field, or with
    /// too many values.
    private var columns: [[UInt8]: ValueColumn?] = [:]

    /// A file whose columns would take more memory is gone through, in bytes.
    private static let maxSize = 24 << 20
    /// More values than one for so many entries are not worth their lists.
    private static let entriesForValue = 16
    /// The tables of a large file may take more if they are no more than so many bytes for each entry.
    private static let maxBytes = 64
    /// If a field is in no more entries than these, or missing in no more, they are read.
    private static let maxRead = 256
    /// All objects are at multiples of it.
    private static let unit = 8

    init(_ file: JournalFile) { count = file.count }

    /// In bytes.
    var size: Int { (times?.count ?? 0) * 8 + columns.values.reduce(0) { $0 + ($1?.numbers.count ?? 0) * 2 } }

    private func hasRoom(for bytes: Int) -> Bool { size + count * bytes <= Self.maxSize }

    /// When each entry was received, read from its head; `nil` where the times or numbers go back, or there are too many.
    mutating func times(in file: JournalFile) -> [UInt64]? {
        if times == nil { times = hasRoom(for: 8) ? Self.times(in: file) ?? [] : [] }
        return times?.count == count ? times : nil
    }

    private static func times(in file: JournalFile) -> [UInt64]? {
        var times: [UInt64] = []
        times.reserveCapacity(file.count)
        var last = EntryRef()
        for index in 0..<file.count {
            guard let offset = file.offset(at: index), let entry = file.entry(at: offset, .stream),
                offset > last.offset, entry.sequence > last.sequence,
                entry.realtime >= last.realtime, entry.boot != last.boot || entry.monotonic >= last.monotonic
            else { return nil }
            times.append(entry.realtime)
            last = entry
        }
        return times
    }

    /// How many values a field may have in a file.
    private static func maxValues(in file: JournalFile) -> Int {
        min(max(64, file.count / entriesForValue), Int(UInt16.max) - 1)
    }

    /// Whether no field has more values than can be counted; tells before anything is read of the entries.
    static func areFew(_ names: [[UInt8]], in file: JournalFile) -> Bool {
        names.allSatisfy { file.values(of: $0, limit: maxValues(in: file)) != nil }
    }

    /// The columns of the fields, which are looked up once; `nil` where one has none.
    mutating func columns(of names: [[UInt8]], in file: JournalFile) -> [ValueColumn]? {
        let missing = names.filter { columns[$0] == nil }
        if !missing.isEmpty {
            guard hasRoom(for: 2), let ordinals = Ordinals(of: file) else { return nil }
            for name in missing {
                columns[name] = .some(hasRoom(for: 2) ? Self.column(of: name, in: file, ordinals) : nil)
            }
        }
        let found = names.compactMap { columns[$0] ?? nil }
        return found.count == names.count ? found : nil
    }

    /// The same without the columns of other fields.
    func only(_ names: [[UInt8]]) -> ValueColumns {
        var columns = self
        columns.columns = self.columns.filter { names.contains($0.key) }
        return columns
    }

    private static func column(of name: [UInt8], in file: JournalFile, _ ordinals: Ordinals) -> ValueColumn? {
        guard let values = file.values(of: name, limit: maxValues(in: file)) else { return nil }
        if values.isEmpty { return ValueColumn(numbers: [], count: 0) }
        var column = [UInt16](repeating: 0, count: file.count)
        var known = 0
        for (number, value) in values.enumerated() {
            guard let line = file.payload(at: value, .spot), line.count > name.count,
                line.starts(with: name), line[name.count] == UInt8(ascii: "="),
                let postings = Postings(file, data: value), !postings.isDamaged,
                let places = postings.places(in: 0..<file.size)
            else { return nil }
            let isWhole = column.withUnsafeMutableBufferPointer { column in
                places.allSatisfy { place in
                    guard let ordinal = ordinals[place], column[ordinal] == 0 else { return false }
                    column[ordinal] = UInt16(truncatingIfNeeded: number + 1)
                    return true
                }
            }
            guard isWhole, places.count == postings.count else { return nil }
            known += places.count
        }
        let isRare = known < file.count - known
        let fewer = isRare ? known : file.count - known
        guard fewer > maxRead || agree(column, values, isRare, file) else { return nil }
        return ValueColumn(numbers: column, count: values.count)
    }

    /// Whether the entries that have a value, or those that have none, say the same. A wrong place in a list adds one to both.
    private static func agree(_ column: [UInt16], _ values: [Int], _ isRare: Bool, _ file: JournalFile) -> Bool {
        let all = Set(isRare ? [] : values.map { UInt64($0) })
        return column.enumerated().allSatisfy { ordinal, number in
            guard (number > 0) == isRare else { return true }
            let isRight = file.offset(at: ordinal).flatMap { place in
                file.withItems(ofEntryAt: place, .spot) { items in
                    isRare ? items.contains(UInt64(values[Int(number) - 1])) : items.allSatisfy { !all.contains($0) }
                }
            }
            return isRight == true
        }
    }

    /// The number of each entry by its place: a bit for each place that has one, and how many there are before each word of bits.
    private struct Ordinals {
        private var words: [UInt64]
        private var before: [UInt32]

        /// `nil` where the file's list of entries is not sorted, or the file is large for its entries, as a sparse one may be.
        init?(of file: JournalFile) {
            let count = file.size / unit / 64 + 1
            guard count * 12 <= max(maxSize, file.count * maxBytes) else { return nil }
            words = Array(repeating: 0, count: count)
            before = Array(repeating: 0, count: count)
            var last = 0
            for index in 0..<file.count {
                guard let place = file.offset(at: index), place > last, place < file.size, place % unit == 0 else {
                    return nil
                }
                last = place
                words[place / unit / 64] |= 1 << UInt64(place / unit % 64)
            }
            var sum: UInt32 = 0
            for index in words.indices {
                before[index] = sum
                sum += UInt32(words[index].nonzeroBitCount)
            }
        }

        /// `nil` if no entry is there.
        subscript(place: Int) -> Int? {
            let bit = place / unit
            guard place >= 0, place % unit == 0, bit / 64 < words.count else { return nil }
            let (word, mask) = (words[bit / 64], UInt64(1) << UInt64(bit % 64))
            guard word & mask != 0 else { return nil }
            return Int(before[bit / 64]) + (word & (mask - 1)).nonzeroBitCount
        }
    }
}
