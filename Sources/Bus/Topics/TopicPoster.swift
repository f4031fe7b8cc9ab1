/// Posts on one topic of a bus, which it has looked up once.
///
/// It may be used from any thread. It does not keep the bus alive: once the bus is gone or closed, it does nothing.
public final class TopicPoster<Value: Sendable>: Sendable {
    @usableFromInline let channel: TypedChannel<Value>

    init(_ channel: TypedChannel<Value>) {
        self.channel = channel
    }

    deinit {
        channel.status.hub.leave(channel)
    }

    /// Posts a value. See ``NotificationBus/post(_:to:fileID:line:)``.
    @inlinable
    public func post(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        channel.post(value, PostOrigin(fileID: fileID, line: line))
    }

    /// Posts a value from a task once every subscriber has room for it, and waits there until then.
    ///
    /// If this is the only poster, no subscriber loses a value for being slow.
    ///
    /// - Returns: whether it was posted: not once the bus is gone or closed, nor when the task is cancelled while it waits.
    @discardableResult
    public func postWhenReady(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
        let core = channel.core
        let demand = core.demand == .pause ? await Room.wait { core.whenReady($0) } : core.demand
        guard demand == .more else { return false }
        post(value, fileID: fileID, line: line)
        return true
    }

    /// Whether a subscriber would hear a value, or it would be kept: for a poster whose values are costly to make.
    public var isHeard: Bool { channel.isHeard }

    /// ``Demand/pause`` while a subscriber has no room for another value, and ``Demand/stop`` once the bus is gone or closed.
    public var demand: Demand { channel.core.demand }
}
