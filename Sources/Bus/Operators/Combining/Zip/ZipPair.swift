/// The lines of two inputs.
@frozen
@usableFromInline
struct ZipPair<First: Sendable, Second: Sendable>: ZipLines {
    @usableFromInline var first: ZipLine<First>
    @usableFromInline var second: ZipLine<Second>

    @inlinable
    init(_ room: ZipRoom) {
        first = ZipLine(room, at: 0)
        second = ZipLine(room, at: 1)
    }

    @inlinable
    var areReady: Bool { !first.isEmpty && !second.isEmpty }

    @inlinable
    mutating func take() -> (First, Second)? {
        let (first, second) = (first.take(), second.take())
        guard let first, let second else { return nil }
        return (first, second)
    }

    @inlinable
    var isOneFinished: Bool { first.isFinished || second.isFinished }
}

@frozen
@usableFromInline
struct FirstOfZip<First: Sendable, Second: Sendable>: ZipPlace {
    @inlinable
    init() {}

    @inlinable
    func append(_ value: First, to lines: inout ZipPair<First, Second>) { lines.first.append(value) }

    @inlinable
    func appendLoss(of count: Int, to lines: inout ZipPair<First, Second>) { lines.first.runs.appendLoss(of: count) }

    @inlinable
    func end(in lines: inout ZipPair<First, Second>) { lines.first.hasEnded = true }
}

@frozen
@usableFromInline
struct SecondOfZip<First: Sendable, Second: Sendable>: ZipPlace {
    @inlinable
    init() {}

    @inlinable
    func append(_ value: Second, to lines: inout ZipPair<First, Second>) { lines.second.append(value) }

    @inlinable
    func appendLoss(of count: Int, to lines: inout ZipPair<First, Second>) { lines.second.runs.appendLoss(of: count) }

    @inlinable
    func end(in lines: inout ZipPair<First, Second>) { lines.second.hasEnded = true }
}
