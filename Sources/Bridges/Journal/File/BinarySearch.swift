/// Binary search in sorted data.
enum BinarySearch {
    /// The first index of the range for which `isBehind` returns true; the range's end if there is none. `nil` if it
    /// returns `nil`, for unreadable data.
    @inline(__always)
    static func firstIndex(in range: Range<Int>, where isBehind: (Int) -> Bool?) -> Int? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            guard let isBehind = isBehind(middle) else { return nil }
            if isBehind { high = middle } else { low = middle + 1 }
        }
        return low
    }

    @inline(__always)
    static func firstIndex(below count: Int, where isBehind: (Int) -> Bool) -> Int {
        firstIndex(in: 0..<count) { isBehind($0) } ?? count
    }
}
