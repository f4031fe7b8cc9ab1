import Synchronization

/// How many entries were shown.
final class MatchCount: Sendable {
    private let count = Atomic(0)

    var isZero: Bool { count.load(ordering: .relaxed) == 0 }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}
