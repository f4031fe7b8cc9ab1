/// Finds a place in what is sorted by looking at the middle of what is left.
enum Halving {
    /// The first index of the range for which `isBehind` answers true; the range's end if there is none. `nil` if it answers
    /// `nil`, for what cannot be read.
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
