/// The limit for a figure.
struct Bound {
    let name: String
    let limit: Limit
    /// Whether breaking it fails the run.
    var isEnforced = true

    enum Limit {
        case timesFloor(atMost: Double)
        /// At most this much above the floor, in the standing's unit, or at most this share of the floor. If the floor
        /// itself is large, nanoseconds above it are noise.
        case aboveFloor(atMost: Double, orShare: Double = 0.3)
        case timesFaster(than: String, atLeast: Double)
        case median(atMost: Double)
    }

    struct Verdict {
        let name: String
        let demanded: String
        let measured: String
        let isKept: Bool
        let isEnforced: Bool
    }

    func judge(_ standing: Standing) -> Verdict {
        switch limit {
        case .timesFloor(let most):
            let ratio = standing.floor.map { standing.ours.ratio(to: $0) } ?? .nan
            let floor = standing.floor?.name ?? "the floor"
            return verdict(
                "≤ \(most.figure) × \(floor)",
                "\(ratio.figure) ×",
                ratio <= most
            )
        case .aboveFloor(let most, let share):
            let above = standing.floor.map { standing.ours.excess(over: $0) } ?? .nan
            let floor = standing.floor?.name ?? "the floor"
            return verdict(
                "≤ \(most.figure) \(standing.unit) or \(share.figure) × above \(floor)",
                "\(above.figure) \(standing.unit)",
                above <= max(most, share * (standing.floor?.median ?? .nan))
            )
        case .timesFaster(let name, let least):
            let ratio = standing.instead(named: name).map { $0.ratio(to: standing.ours) } ?? .nan
            return verdict("≥ \(least.figure) × as fast as \(name)", "\(ratio.figure) ×", ratio >= least)
        case .median(let most):
            let value = standing.ours.median
            return verdict("≤ \(most.figure) \(standing.unit)", "\(value.figure) \(standing.unit)", value <= most)
        }
    }

    private func verdict(_ demanded: String, _ measured: String, _ isKept: Bool) -> Verdict {
        Verdict(name: name, demanded: demanded, measured: measured, isKept: isKept, isEnforced: isEnforced)
    }
}
