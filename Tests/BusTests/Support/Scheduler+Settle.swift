import Bus

extension Scheduler {
    /// Returns when all work given so far, and what that work gave, has run. On several threads, "has run" may be "runs
    /// still"; what is checked then must not depend on it. Called on the scheduler itself it would wait for ever; for an actor it
    /// is called ``offThePool(_:)``.
    func settle() {
        for _ in 0..<3 {
            let latch = Latch()
            schedule { latch.open() }
            latch.wait()
        }
    }
}

extension ConcurrentScheduler {
    /// Returns when none of its `threads` threads is at work any more, which those given work by it then have been, too.
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
