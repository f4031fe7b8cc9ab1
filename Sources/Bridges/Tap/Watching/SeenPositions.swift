import Bus

/// Up to which number each topic was seen, where no event was sent.
struct SeenPositions {
    /// The most topics that are remembered.
    static let limit = 1000

    private var sequences: [TopicName: UInt64] = [:]
    /// The topic that was seen last, which is not among the others: most events come from the topic of the one before.
    private var last: (topic: TopicName, sequence: UInt64)?

    mutating func note(_ topic: TopicName, _ sequence: UInt64) {
        if let last, last.topic != topic { store(last.topic, last.sequence) }
        last = (topic, sequence)
    }

    private mutating func store(_ topic: TopicName, _ sequence: UInt64) {
        guard sequences[topic] != nil || sequences.count < Self.limit else { return }
        sequences[topic] = sequence
    }

    /// An event of the topic was sent, which contains its position.
    mutating func forget(_ topic: TopicName) {
        if last?.topic == topic { last = nil }
        if !sequences.isEmpty { sequences[topic] = nil }
    }

    /// All of them, by topic; none is remembered afterwards.
    mutating func take() -> [(topic: TopicName, sequence: UInt64)] {
        if let last { store(last.topic, last.sequence) }
        last = nil
        defer { sequences.removeAll() }
        return sequences.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }
}
