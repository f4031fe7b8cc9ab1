import Bus

/// Runs `body` on a thread of its own, without blocking the task meanwhile: for what waits for an actor or a task, which
/// need a thread of the pool to run on.
package func offThePool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        do {
            try PinnedThread.start(name: "test") { continuation.resume(returning: body()) }
        } catch {
            fatalError("\(error)")
        }
    }
}
