import Bus

/// The last number that each sender has used on each topic, to find what is missing.
struct SenderNumbers {
    private struct Key: Hashable {
        let sender: String
        let topic: TopicName
    }

    private struct Last {
        var sequence: UInt64
        /// When the value with this number was posted.
        var time: Int64
    }

    private let limit: Int
    private var recent: [Key: Last] = [:]
    /// Those that were heard before, and have not been since ``recent`` was begun.
    private var former: [Key: Last] = [:]

    /// - Parameter limit: how many it remembers at least, and half of those that it remembers at most.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Notes a number.
    ///
    /// - Parameter time: when the value was posted, by the sender's clock. A lower number of a value that was posted later is not late: the
    ///   higher one was wrong.
    /// - Returns: how many are missing before it: none for a sender that is heard for the first time, because this program may have
    ///   come later. Nil for a number that comes behind a later one. It was heard, or counted as missing, or is older than the first that was
    ///   heard.
    mutating func note(_ sequence: UInt64, of sender: String, on topic: TopicName, at time: Int64) -> Int? {
        let key = Key(sender: sender, topic: topic)
        let known = recent[key] ?? former[key]
        let isLate = known.map { sequence < $0.sequence && time <= $0.time } ?? false
        if recent[key] == nil, recent.count >= limit { (former, recent) = (recent, [:]) }
        recent[key] = isLate ? known : Last(sequence: sequence, time: time)
        guard let before = known else { return 0 }
        if isLate { return nil }
        return sequence > before.sequence ? Int(clamping: sequence - before.sequence - 1) : 0
    }
}
