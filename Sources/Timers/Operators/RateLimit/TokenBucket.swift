/// A bucket that gains a token at fixed intervals, up to a capacity; each value takes one.
@frozen
@usableFromInline
struct TokenBucket: Pace {
    @usableFromInline let interval: Int64
    @usableFromInline let capacity: Int
    /// The operator's name in a chain.
    @usableFromInline let name: String
    @usableFromInline static var name: String { "rateLimit" }
    @usableFromInline var tokens: Int
    /// When the present number of tokens was reached.
    @usableFromInline var since = Int64.min

    /// - Parameters:
    ///   - count: tokens gained in `duration`.
    ///   - duration: nanoseconds; zero or less means that there is always a token.
    ///   - capacity: tokens that the bucket holds, and has at first.
    @usableFromInline
    init(count: Int, per duration: Int64, capacity: Int, name: String) {
        let count = Int64(max(1, count))
        // Rounded up, so that the rate is not exceeded.
        interval = duration <= 0 ? 0 : duration == .max ? .max : duration / count + (duration % count > 0 ? 1 : 0)
        self.capacity = max(1, capacity)
        self.name = name
        tokens = self.capacity
    }

    /// With a token left a value need not wait.
    @inlinable
    var letsPass: Bool { true }

    @usableFromInline
    mutating func due(arrival: Int64, at now: Int64) -> Int64 {
        refill(at: now)
        return tokens > 0 ? now : since.later(by: interval)
    }

    @inlinable
    func dueOther(arrival: Int64) -> Int64 { arrival }

    @usableFromInline
    mutating func sent(at now: Int64) {
        refill(at: now)
        tokens -= 1
    }

    @usableFromInline
    mutating func refill(at now: Int64) {
        // Unsigned, so that the distance between any two instants fits.
        let distance = now <= since ? 0 : UInt64(bitPattern: now &- since)
        let gained = interval == 0 ? .max : distance / UInt64(interval)
        if gained >= UInt64(capacity - tokens) {
            tokens = capacity
            since = max(since, now)
        } else {
            tokens += Int(gained)
            since &+= Int64(gained) &* interval
        }
    }
}
