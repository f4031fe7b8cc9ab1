/// An element of a queue that is bounded in values, and keeps losses in their places among them.
///
/// Adjacent losses are one element. So a source that reports losses without end, or goes on while the queue is full, takes no memory.
package protocol QueuedEvent {
    /// Whether it counts towards the bound.
    var isValue: Bool { get }

    /// How many values are missing here, if this is a loss. Setting it makes a loss of any element.
    var loss: Int? { get set }
}

extension RangeReplaceableCollection
where Self: MutableCollection & RandomAccessCollection, Index == Int, Element: QueuedEvent {
    /// Notes that values are missing at the end.
    ///
    /// - Parameter loss: makes the loss, unless one is there already.
    package mutating func appendLoss(of count: Int, _ loss: @autoclosure () -> Element) {
        if let last = indices.last, let before = self[last].loss {
            self[last].loss = before + count
        } else {
            append(loss())
        }
    }

    /// Makes room by giving up the oldest value. Returns it, to be released when no lock is held.
    package mutating func loseOldest() -> Element? {
        guard let index = firstIndex(where: \.isValue) else { return nil }
        let oldest = self[index]
        self[index].loss = 1
        // There is at most one loss before it and at most one after it.
        for neighbour in [index + 1, index] where neighbour > 0 && neighbour < count {
            guard let more = self[neighbour].loss, let before = self[neighbour - 1].loss else { continue }
            self[neighbour - 1].loss = before + more
            remove(at: neighbour)
        }
        return oldest
    }
}
