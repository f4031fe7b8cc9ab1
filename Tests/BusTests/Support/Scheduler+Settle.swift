import Bus

extension Scheduler {
    /// Returns when all submitted work has run, and the work that it submitted. On several threads it may still be
    /// running; checks must not depend on that. Called on the scheduler itself it would wait for ever. For an actor,
    /// call it in ``offThePool(_:)``.
    func settle() {
        for _ in 0..<3 {
            let latch = Latch()
            schedule { latch.open() }
            latch.wait()
        }
    }
}

extension ConcurrentScheduler {
    /// Returns when none of its `threads` threads is busy any more. By then the work they were given has been done,
    /// too.
    func settle(threads: Int) {
        for _ in 0..<3 {
            let arrived = Lock(0)
            let (all, done) = (Latch(), Latch())
            for _ in 0..<threads {
                schedule {
                    // All threads are here, so none is anywhere else.
                    if Self.count(arrived) == threads { all.open() }
                    all.wait()
                    if Self.count(arrived) == 2 * threads { done.open() }
                }
            }
            done.wait()
        }
    }

    private static func count(_ number: Lock<Int>) -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
