/// Numbers for tuples of values, each known by its place in its file. When there are too many it forgets them all.
/// A dictionary would need an array for each entry that is looked up.
struct ValueTuples {
    /// How many values a tuple has.
    private let width: Int
    /// The tuples one after the other, each with its number plus one behind it; zero where there is none.
    private var table: [UInt64]
    private var mask: Int
    private var count = 0

    private static let maxSize = 1 << 16

    init(width: Int) {
        self.width = width
        mask = (1 << 10) - 1
        table = Array(repeating: 0, count: (mask + 1) * (width + 1))
    }

    @inline(__always)
    func find(_ tuple: UnsafeMutableBufferPointer<UInt64>) -> Int? {
        table.withUnsafeBufferPointer { table in
            var place = self.place(of: tuple)
            while true {
                let start = place &* (width &+ 1)
                let number = table[start &+ width]
                if number == 0 { return nil }
                var index = 0
                while index < width, table[start &+ index] == tuple[index] { index &+= 1 }
                if index == width { return Int(number) - 1 }
                place = (place &+ 1) & mask
            }
        }
    }

    mutating func add(_ tuple: UnsafeMutableBufferPointer<UInt64>, _ number: Int) {
        if count * 2 > mask { grow() }
        insert(tuple, UInt64(number) + 1)
    }

    mutating func removeAll() { self = ValueTuples(width: width) }

    private mutating func grow() {
        let old = table
        let oldSize = mask + 1
        let isFull = oldSize >= Self.maxSize
        if !isFull { mask = oldSize * 2 - 1 }
        table = Array(repeating: 0, count: (mask + 1) * (width + 1))
        count = 0
        if isFull { return }
        for place in 0..<oldSize {
            let start = place * (width + 1)
            let number = old[start + width]
            if number == 0 { continue }
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(width, 1)) { tuple in
                for index in 0..<width { tuple[index] = old[start + index] }
                insert(UnsafeMutableBufferPointer(rebasing: tuple[..<width]), number)
            }
        }
    }

    private mutating func insert(_ tuple: UnsafeMutableBufferPointer<UInt64>, _ number: UInt64) {
        var place = self.place(of: tuple)
        while table[place * (width + 1) + width] != 0 { place = (place + 1) & mask }
        for index in 0..<width { table[place * (width + 1) + index] = tuple[index] }
        table[place * (width + 1) + width] = number
        count += 1
    }

    @inline(__always)
    private func place(of tuple: UnsafeMutableBufferPointer<UInt64>) -> Int {
        var hash: UInt64 = 0
        for index in 0..<width {
            hash = (hash ^ tuple[index]) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return Int(truncatingIfNeeded: hash >> 20) & mask
    }
}
