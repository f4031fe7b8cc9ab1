/// The measurements of one contender, round by round.
struct Series {
    let name: String
    var samples: [Double] = []

    var median: Double { samples.median }
    var minimum: Double { samples.min() ?? .nan }

    /// How many times longer this one takes than `other`: the median of the ratios of each round. The ratio cancels
    /// other load on the machine.
    func ratio(to other: Series) -> Double { ratios(to: other).median }

    /// The same of each round.
    func ratios(to other: Series) -> [Double] { zip(samples, other.samples).map { $0 / $1 } }

    /// How much more this one takes than `other`: the median over the rounds.
    func excess(over other: Series) -> Double {
        zip(samples, other.samples).map { $0 - $1 }.median
    }
}

extension [Double] {
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The value that the given share of them does not exceed.
    func percentile(_ share: Double) -> Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return sorted[Swift.min(count - 1, Int((Double(count) * share).rounded(.up)) - 1)]
    }
}
