/// The lines of all inputs of a `zip`.
@usableFromInline
protocol ZipLines<Joined>: Sendable {
    associatedtype Joined: Sendable

    /// Whether each line has its next place.
    var areReady: Bool { get }

    /// The values in the next place of each, when they are ready; nothing when one of them was lost.
    mutating func take() -> Joined?

    /// Whether one of them has ended and is empty.
    var isOneFinished: Bool { get }
}

/// One input's line among them.
@usableFromInline
protocol ZipPlace<Value, Lines>: Sendable {
    associatedtype Value: Sendable
    associatedtype Lines: ZipLines

    func append(_ value: Value, to lines: inout Lines)
    func appendLoss(of count: Int, to lines: inout Lines)
    func end(in lines: inout Lines)
}
