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
