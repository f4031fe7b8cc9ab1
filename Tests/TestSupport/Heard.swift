import Bus

/// What was heard, in order, from any thread.
public final class Heard<Value: Sendable>: Sendable {
    private let state = Lock<[Value]>([])

    public init() {}

    public var values: [Value] { state.withLock { $0 } }

    @Sendable public func append(_ value: Value) { state.withLock { $0.append(value) } }
}
