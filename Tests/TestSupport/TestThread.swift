import Bus

/// Work on a separate thread, like that of a daemon's other parts.
public struct TestThread: Sendable {
    private let done = Latch()

    /// - Throws: if the system has no thread.
    public init(_ body: @escaping @Sendable () -> Void) throws {
        try PinnedThread.start(name: "test") { [done] in
            body()
            done.open()
        }
    }

    /// Returns when it is done, and what it has left is delivered. Blocks the thread.
    public func wait() {
        done.wait()
        DeliveryThread.settle()
    }
}
