/// Names one timer of the wheel that scheduled it, for as long as it is scheduled.
///
/// A token never comes to mean another timer: the place in the wheel's storage is reused, the identity is not.
public struct TimerToken: Sendable, Hashable {
    /// Where the timer is stored.
    public let index: Int32
    /// Which of all timers that were ever stored there is meant; never zero for a timer.
    public let identity: UInt64

    /// A scheduler of your own may fill a token with whatever lets it find the timer again.
    public init(index: Int32, identity: UInt64) {
        self.index = index
        self.identity = identity
    }

    /// A wheel's indices have so many bits; the three above are free to say which wheel it is.
    static var indexBits: Int32 { 28 }
}
