/// The failure that ends a join of a pack, kept until the end has its turn. Touched only in the order of delivery.
final class PackFailure<Failure: Error>: @unchecked Sendable {
    // See above.
    @exclusivity(unchecked) private var failure: Failure?

    func put(_ failure: Failure) {
        if self.failure == nil { self.failure = failure }
    }

    var termination: Termination<Failure> { failure.map { .failed($0) } ?? .completed }
}
