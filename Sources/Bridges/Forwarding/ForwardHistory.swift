/// A message that a sink acknowledged, by which a later connection sees whether the sink still has it.
package struct ForwardMark: Hashable, Sendable {
    /// The message's number; 0 for the place where forwarding began, which has no message.
    package let sequence: UInt64
    /// The cursor of the message's entry, up to which everything was stored; `nil` at the source's beginning.
    package let cursor: String?
}

/// Marks that a forwarder has passed, from where it began to the newest. It can go back to one of them when the sink has lost what it
/// acknowledged.
///
/// There are at most ``maxCount``, and the distance between neighbours grows with their age. So the newest mark that the sink still has
/// lies not much further back than what the sink has lost, whether that is a minute's messages or a month's.
package struct ForwardHistory: Hashable, Sendable {
    /// The ages of neighbours differ by a factor of about 2 after a thousand million messages.
    static let maxCount = 32

    /// From the oldest, which is never removed, to the newest. Their numbers rise.
    private(set) var marks: [ForwardMark] = []

    /// - Parameter beginning: the cursor behind which forwarding begins.
    init(beginning: String?) {
        marks = [ForwardMark(sequence: 0, cursor: beginning)]
    }

    init() {}

    /// Adds a mark, unless it is no newer than the newest.
    mutating func add(_ mark: ForwardMark) {
        if let last = marks.last, mark.sequence <= last.sequence { return }
        marks.append(mark)
        guard marks.count > Self.maxCount else { return }
        // The one whose neighbours are closest to each other, compared with their ages.
        let ages: [Double] = marks.map { Double(mark.sequence - $0.sequence) + 1 }
        func distance(around index: Int) -> Double { ages[index - 1] / ages[index + 1] }
        let closest = (1..<marks.count - 1).min { distance(around: $0) < distance(around: $1) }
        if let closest { marks.remove(at: closest) }
    }

    /// The marks up to one of them.
    func through(_ mark: ForwardMark) -> ForwardHistory {
        var history = self
        history.marks = marks.filter { $0.sequence <= mark.sequence }
        return history
    }
}

extension ForwardMark {
    /// A line of a cursor file.
    var text: String { "\(sequence) \(cursor ?? "")" }

    /// - Parameter text: a line of a cursor file.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = UInt64(parts[0]) else { return nil }
        self.init(sequence: sequence, cursor: parts[1].isEmpty ? nil : String(parts[1]))
    }
}
