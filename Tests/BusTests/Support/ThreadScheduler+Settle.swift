import Bus

extension ThreadScheduler {
    /// Returns when all work given so far, and what that work gave, has run.
    func settle() {
        for _ in 0..<3 {
            let latch = Latch()
            schedule { latch.open() }
            latch.wait()
        }
    }
}
