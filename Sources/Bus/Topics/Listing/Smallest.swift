/// The smallest of many elements. It sorts no more than twice as many as are wanted at a time.
struct Smallest<Element> {
    private let count: Int
    private let isBefore: (Element, Element) -> Bool
    private var elements: [Element] = []
    /// The largest that is kept, once there are as many as are wanted.
    private var largest: Element?

    init(_ count: Int, by isBefore: @escaping (Element, Element) -> Bool) {
        self.count = max(1, count)
        self.isBefore = isBefore
    }

    mutating func add(_ element: Element) {
        if let largest, !isBefore(element, largest) { return }
        elements.append(element)
        if elements.count >= count * 2 { cut() }
    }

    private mutating func cut() {
        elements = Array(sorted)
        largest = elements.last
    }

    var sorted: ArraySlice<Element> { elements.sorted(by: isBefore).prefix(count) }
}
