/// The elements of an array, let go of one by one as they are handed out.
///
/// An array's own iterator keeps the whole array. A `concat` that walked one would keep the very source that feeds it,
/// and the two would never be freed.
@usableFromInline
struct Draining<Element: Sendable>: Sequence, Sendable {
    @usableFromInline let elements: [Element]

    @usableFromInline
    init(_ elements: [Element]) {
        self.elements = elements
    }

    @usableFromInline
    struct Iterator: IteratorProtocol {
        var remaining: [Element]

        @usableFromInline
        mutating func next() -> Element? { remaining.popLast() }
    }

    @usableFromInline
    func makeIterator() -> Iterator { Iterator(remaining: elements.reversed()) }
}
