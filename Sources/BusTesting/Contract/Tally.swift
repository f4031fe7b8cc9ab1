import Bus

/// A number set from one closure and read from another.
final class Tally: Sendable {
    private let number: Lock<Int>

    init(_ number: Int = 0) {
        self.number = Lock(number)
    }

    var value: Int { number.withLock { $0 } }

    func set(_ value: Int) { number.withLock { $0 = value } }

    /// Returns the sum.
    @discardableResult
    func add(_ value: Int) -> Int {
        number.withLock {
            $0 += value
            return $0
        }
    }
}
