/// The time of an entry, as it is shown and as a filter's `time`: when it was made, if the journal knows that, else
/// when it was received.
enum EntryTime {
    /// When a message was made, by the clock of its sender's machine: microseconds since 1970.
    static let source = "_SOURCE_REALTIME_TIMESTAMP"

    /// - Parameters:
    ///   - source: the first value of the field ``source``.
    ///   - received: when the journal received the entry, in microseconds since 1970.
    @inline(__always)
    static func of(source: UnsafeRawBufferPointer?, received: UInt64) -> UInt64 {
        guard let source, let claimed = PlainDecimal.parse(source), claimed > 0, claimed < 1 << 55 else {
            return received
        }
        return UInt64(claimed)
    }

    /// The same since the machine's start, of the first value of `_SOURCE_MONOTONIC_TIMESTAMP`.
    static func sinceBoot(source: UnsafeRawBufferPointer?, received: UInt64) -> UInt64 {
        guard let source, let claimed = PlainDecimal.parse(source), claimed >= 0, claimed < 1 << 55 else {
            return received
        }
        return UInt64(claimed)
    }
}
