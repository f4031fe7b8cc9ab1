import Bus

/// What was heard, from any thread.
final class Heard<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// To see whether a closure is gone.
final class Canary: Sendable {
    func sing() {}
}
