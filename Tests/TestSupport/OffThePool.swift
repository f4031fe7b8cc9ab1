import Bus

/// Runs `body` on a separate thread without blocking the task. For waits on an actor or a task, which need a thread of
/// the pool.
package func offThePool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        do {
            try PinnedThread.start(name: "test") { continuation.resume(returning: body()) }
        } catch {
            fatalError("\(error)")
        }
    }
}
