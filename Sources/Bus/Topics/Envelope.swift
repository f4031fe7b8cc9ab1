/// A value that was posted on a bus, with its topic, number, time and origin.
public struct Envelope<Value: Sendable>: Sendable {
    @usableFromInline let address: TopicAddress
    /// What was posted; in the result of ``map(_:)``, what was made of it.
    public let value: Value

    /// The number of the value in its topic on this bus. The first has number 1.
    ///
    /// Every value that is posted takes a number. A subscriber that finds a number missing has missed a value.
    public let sequence: UInt64

    /// The same as ``uptime``, which an envelope has in half of the room.
    @usableFromInline package let uptimeNanoseconds: Int64

    /// The place in the program where it was posted.
    public let origin: CodeLocation

    @inlinable
    init(address: TopicAddress, value: Value, sequence: UInt64, uptimeNanoseconds: Int64, origin: CodeLocation) {
        self.address = address
        self.value = value
        self.sequence = sequence
        self.uptimeNanoseconds = uptimeNanoseconds
        self.origin = origin
    }

    /// The topic it was posted on.
    public var topic: TopicName { address.name }

    /// The scope of the bus it was posted on, as names joined by slashes: empty for a bus that is no child, and `web/42` for
    /// the child `42` of the child `web`. See ``NotificationBus/child(named:)``.
    public var scope: String { address.scope }

    /// How long the machine had run when it was posted, by `CLOCK_MONOTONIC`: not counting sleep.
    ///
    /// The poster reads the clock before the value gets its number. When several threads post on one topic at the same moment,
    /// the times of neighbors may be out of order by the length of that moment.
    public var uptime: Duration { .nanoseconds(uptimeNanoseconds) }

    /// How long ago it was posted.
    public var age: Duration { .nanoseconds(MonotonicTime.nanoseconds - uptimeNanoseconds) }

    /// The same envelope with another value in it.
    ///
    /// - Throws: the error of `transform`.
    public func map<Other: Sendable, Problem: Error>(
        _ transform: (Value) throws(Problem) -> Other
    ) throws(Problem) -> Envelope<Other> {
        Envelope<Other>(
            address: address,
            value: try transform(value),
            sequence: sequence,
            uptimeNanoseconds: uptimeNanoseconds,
            origin: origin
        )
    }
}

extension Envelope: CustomStringConvertible {
    public var description: String { "\(topic) #\(sequence): \(value)" }
}

/// The topic and the bus that a value was posted on.
@usableFromInline
final class TopicAddress: Sendable {
    let name: TopicName
    let scope: String

    init(name: TopicName, scope: String) {
        self.name = name
        self.scope = scope
    }
}
