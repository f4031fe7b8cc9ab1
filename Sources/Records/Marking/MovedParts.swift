/// Parts of a text, carried over to a second text that is made from it from front to back.
struct MovedParts {
    /// Where each part begins and ends, in turn.
    private var bounds: [Int]
    private var index = 0
    /// The next place of the old text where a part begins or ends.
    private var next: Int

    init(_ parts: [Range<Int>]) {
        bounds = parts.flatMap { [$0.lowerBound, $0.upperBound] }
        next = bounds.first ?? .max
    }

    /// Reports which place of the new text corresponds to a place of the old one. Places are reported in order; a
    /// place may be left out where nothing is taken over.
    mutating func reach(_ old: Int, madeInto new: Int) {
        while next <= old {
            bounds[index] = new
            index += 1
            next = index < bounds.count ? bounds[index] : .max
        }
    }

    /// The parts in the new text, as far as they were taken over.
    var parts: [Range<Int>] {
        stride(from: 0, to: index - 1, by: 2).map { bounds[$0]..<bounds[$0 + 1] }.filter { !$0.isEmpty }
    }
}
