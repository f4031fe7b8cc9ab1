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
        /// When it was last heard, as a count of messages.
        var heard: UInt64
    }

    private let limit: Int
    private var last: [Key: Last] = [:]
    private var count: UInt64 = 0

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
        count += 1
        let key = Key(sender: sender, topic: topic)
        guard let before = last[key] else {
            if last.count >= limit, let oldest = last.min(by: { $0.value.heard < $1.value.heard })?.key {
                last[oldest] = nil
            }
            last[key] = Last(sequence: sequence, time: time, heard: count)
            return 0
        }
        let isLate = sequence < before.sequence && time <= before.time
        last[key] = isLate ? before : Last(sequence: sequence, time: time, heard: count)
        last[key]?.heard = count
        if isLate { return nil }
        return sequence > before.sequence ? Int(clamping: sequence - before.sequence - 1) : 0
    }
}
