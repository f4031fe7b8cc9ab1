/// Parts of a text, carried over to another one that is made of it from front to back.
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

    /// Says what of the new text is made of the old one up to a place. Places are told in their order; one may be left out where
    /// nothing is taken over.
    mutating func reach(_ old: Int, madeInto new: Int) {
        while next <= old {
            bounds[index] = new
            index += 1
            next = index < bounds.count ? bounds[index] : .max
        }
    }

    /// The parts in the new text, of which something was taken over.
    var parts: [Range<Int>] {
        stride(from: 0, to: index - 1, by: 2).map { bounds[$0]..<bounds[$0 + 1] }.filter { !$0.isEmpty }
    }
}
