import Bus

/// Threads that a test waits for.
final class Threads: Sendable {
    private let running = Lock<[Latch]>([])

    func start(_ body: @escaping @Sendable () -> Void) {
        let done = Latch()
        running.withLock { $0.append(done) }
        do {
            try PinnedThread.start(name: "test") {
                body()
                done.open()
            }
        } catch {
            fatalError(error.description)
        }
    }

    /// Returns when all of them are done, and what they have left is delivered.
    func wait() {
        for latch in running.withLock({ $0 }) { latch.wait() }
        DeliveryThread.settle()
    }
}

/// Runs `body` on a thread that may be blocked. A test function runs inside a task, where waiting is refused.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let result = Lock<Result?>(nil)
    let group = Threads()
    group.start {
        let made = body()
        result.withLock { $0 = made }
    }
    group.wait()
    return result.withLock { $0 }
}

/// Runs `body` on a separate thread without blocking the task. For waits on an actor or a task, which need a thread of
/// the pool.
func offThePool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        do {
            try PinnedThread.start(name: "test") { continuation.resume(returning: body()) }
        } catch {
            fatalError("\(error)")
        }
    }
}

/// Whether the values are the numbers from 0 up to `count`. A failed expectation then prints a word instead of all
/// numbers.
func areAscending(_ values: [Int]?, _ count: Int) -> Bool {
    values?.elementsEqual(0..<count) ?? false
}
