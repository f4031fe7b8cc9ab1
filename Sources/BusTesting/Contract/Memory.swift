import Bus

// Promise 6: nothing has to complete for a chain to be freed.
extension ContractCheck {
    /// Subscribes with an observer that holds a canary, and returns a closure that tells whether the canary is alive.
    private func subscribe(_ sources: [Source]) -> (handle: any Disposable, isAlive: () -> Bool) {
        let cage = Cage()
        let canary = Canary(cage)
        let handle = build(sources).subscribe(next: { _ in canary.sing() }, failed: { _ in })
        return (handle, { !cage.isEmpty })
    }

    func freedByDisposal() -> [String] {
        let sources = makeSources()
        let (handle, isAlive) = subscribe(sources)
        send(1...1, into: sources)
        handle.dispose()
        settle()
        return withExtendedLifetime((handle, sources)) {
            expect(!isAlive(), "the chain outlived its disposal")
        }
    }

    func freedByItsEnd() -> [String] {
        let sources = makeSources()
        let (handle, isAlive) = subscribe(sources)
        send(1...1, into: sources)
        complete(sources)
        return withExtendedLifetime((handle, sources)) {
            expect(!isAlive(), "the chain outlived its end")
        }
    }

    func freedWithItsSources() -> [String] {
        var sources = makeSources()
        let (handle, isAlive) = subscribe(sources)
        send(1...1, into: sources)
        sources = []
        settle()
        let violations = expect(!isAlive(), "the chain outlived its sources")
        // An operator that keeps its source must still not be left behind.
        handle.dispose()
        settle()
        return violations
    }
}
