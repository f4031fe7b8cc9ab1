import Bus

// Promises 2 and 4: one event at a time, and what is sent from inside a callback follows, without recursion.
extension ContractCheck {
    func reentrancy() -> [String] {
        let sources = makeSources()
        let budget = Tally(200)
        let recorder = Recorder(
            build(sources),
            onNext: { _ in
                if budget.value > 0 {
                    budget.add(-1)
                    for source in sources { source.send(budget.value) }
                }
                return .more
            }
        )
        for value in 1...3 {
            for source in sources { source.send(value) }
        }
        settle()
        recorder.dispose()
        return recorder.violations
    }

    func concurrentSenders() -> [String] {
        let sources = makeSources()
        let recorder = Recorder(build(sources))
        let finished = Latch()
        let running = Lock(2)
        for sender in 0..<2 {
            onThread {
                for value in 1...1_000 { sources[sender % sources.count].send(value) }
                if running.withLock({
                    $0 -= 1
                    return $0 == 0
                }) {
                    finished.open()
                }
            }
        }
        finished.wait()
        for source in sources { source.complete() }
        settle()
        return recorder.violations
            + expect(recorder.hasEnded, "two threads sent and completed, and no end was heard")
    }
}
