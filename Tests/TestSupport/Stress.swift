import Glibc

/// How much the tests repeat. `make test` checks behaviour, with as many repetitions as that needs. `make stress` sets
/// `BUSCTL_RX_STRESS` to a number: tests that need many repetitions then run, and the others take their long form.
package enum Stress {
    /// The number given, above 0 and possibly less than 1; nil in `make test`. Each long count is multiplied by it.
    package static let factor: Double? = getenv("BUSCTL_RX_STRESS").flatMap { Double(String(cString: $0)) }
        .flatMap { $0 > 0 && $0 < 1_000_000 ? $0 : nil }

    /// Whether this is `make stress`, for `.enabled(if:)`.
    package static var isAsked: Bool { factor != nil }

    /// Whether the factor is more than 1. For tests that take many minutes, and for those that measure lateness and so
    /// need an otherwise idle machine.
    package static var isLong: Bool { (factor ?? 0) > 1 }

    /// How often to do something: `few` times in `make test`; `many` times the factor in `make stress`, and at least `few` times.
    package static func rounds(_ few: Int, stress many: Int) -> Int {
        factor.map { max(few, Int($0 * Double(many))) } ?? few
    }
}
