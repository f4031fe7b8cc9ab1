import Bus

/// What a test heard, in order.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Lock<[Element]>([])

    func add(_ element: Element) { elements.withLock { $0.append(element) } }

    var all: [Element] { elements.withLock { $0 } }
}
