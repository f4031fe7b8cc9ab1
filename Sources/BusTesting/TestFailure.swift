/// A failure for tests, told apart by its name.
public struct TestFailure: Error, Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(stringLiteral value: String) {
        description = value
    }
}
