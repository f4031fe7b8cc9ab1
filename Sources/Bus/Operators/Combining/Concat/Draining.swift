/// The elements of a sequence, one by one; an array's elements are released as they are handed out.
///
/// An array's own iterator keeps the whole array. A `concat` that walked one would keep the very source that feeds it,
/// and the two would never be freed.
@frozen
@usableFromInline
struct Draining<Elements: Sequence & Sendable>: Sequence, Sendable {
    @usableFromInline typealias Element = Elements.Element
    @usableFromInline let elements: Elements

    @inlinable
    init(_ elements: Elements) {
        self.elements = elements
    }

    @frozen
    @usableFromInline
    enum Iterator: IteratorProtocol {
        case walking(Elements.Iterator)
        case draining([Elements.Element])

        @inlinable
        mutating func next() -> Elements.Element? {
            switch self {
            case .walking(var iterator):
                defer { self = .walking(iterator) }
                return iterator.next()
            case .draining(var remaining):
                self = .draining([])
                defer { self = .draining(remaining) }
                return remaining.popLast()
            }
        }
    }

    @inlinable
    func makeIterator() -> Iterator {
        if let array = elements as? [Elements.Element] { return .draining(array.reversed()) }
        return .walking(elements.makeIterator())
    }
}
