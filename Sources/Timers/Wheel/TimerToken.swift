/// Names one timer of the wheel that scheduled it, for as long as it is scheduled.
///
/// A token never refers to another timer: the place in the wheel's storage is reused, the identity is not.
public struct TimerToken: Sendable, Hashable {
    /// Where the timer is stored.
    public let index: Int32
    /// The identity of the timer among all that were ever stored there; never zero for a timer.
    public let identity: UInt64

    /// A scheduler of your own may store any values with which it finds the timer again.
    public init(index: Int32, identity: UInt64) {
        self.index = index
        self.identity = identity
    }

    /// A wheel's indices have so many bits; the three above are free for the number of the wheel.
    static var indexBits: Int32 { 28 }
}
