import Bus

/// The names that a client of the compact framing knows, by number.
struct NamesTable {
    /// Tells the names of events apart.
    struct Key: Hashable {
        let topic: TopicName
        let scope: String
        let type: ObjectIdentifier
        let origin: OriginPlace

        /// Nil where the origin has no place.
        init?(_ event: Envelope<any Sendable>) {
            guard let origin = OriginPlace(event.origin) else { return nil }
            self.origin = origin
            topic = event.topic
            scope = event.scope
            type = ObjectIdentifier(Swift.type(of: event.value))
        }
    }

    private var numbers: [Key: UInt32] = [:]
    private var size = 0
    /// Most events have the names of the one before.
    private var last: (key: Key, number: UInt32)?

    /// The number of names that the client knows.
    mutating func number(of key: Key) -> UInt32? {
        if let last, last.key == key { return last.number }
        guard let number = numbers[key] else { return nil }
        last = (key, number)
        return number
    }

    /// Adds names whose frame has so many bytes; returns their number, which is 0 when the table was full and the
    /// table began anew.
    mutating func add(_ key: Key, size added: Int) -> UInt32 {
        if numbers.count == CompactFrame.namesLimit || size + added > CompactFrame.namesSizeLimit {
            numbers.removeAll(keepingCapacity: true)
            size = 0
        }
        let number = UInt32(numbers.count)
        numbers[key] = number
        size += added
        last = (key, number)
        return number
    }
}
