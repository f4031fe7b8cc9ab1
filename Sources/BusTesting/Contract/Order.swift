import Bus

// Promises 2 and 4: one event at a time; an event sent from inside a callback follows, without recursion.
extension ContractCheck {
    func sendingInsideCallback() -> [String] {
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
        send(1...3, into: sources)
        recorder.dispose()
        return recorder.violations
    }

    func subscribingInsideCallback() -> [String] {
        let sources = makeSources()
        let signal = build(sources)
        let second = Lock<Recorder<Output.Value, Output.Failure>?>(nil)
        let recorder = Recorder(
            signal,
            onNext: { _ in
                guard second.withLock({ $0 }) == nil else { return .more }
                let made = Recorder(signal)
                second.withLock { $0 = made }
                return .more
            }
        )
        send(1...3, into: sources)
        complete(sources)
        let inner = second.withLock { $0 }
        // An operator that sends at its sources' end is subscribed to again when they are done.
        return recorder.violations + (inner?.violations ?? [])
            + expect(inner != nil, "no callback came, so none could subscribe")
            + expect(recorder.hasEnded, "subscribed to again inside a callback, it heard no end")
            + expect(inner?.hasEnded != false, "the subscription made inside a callback heard no end")
    }

    func sendersOnTwoThreads() -> [String] {
        let sources = makeSources()
        let recorder = Recorder(build(sources))
        let sender = { @Sendable (number: Int) in
            for value in 1...1_000 { sources[number % sources.count].send(value) }
        }
        together({ sender(0) }, { sender(1) })
        complete(sources)
        return recorder.violations
            + expect(recorder.hasEnded, "two threads sent and completed, and no end was heard")
    }

    func endsOnTwoThreads() -> [String] {
        var found = failureBesideCallback()
        for _ in 0..<50 where found.isEmpty {
            let sources = makeSources()
            let recorder = Recorder(build(sources))
            together(
                {
                    for source in sources {
                        source.send(1)
                        source.complete()
                    }
                },
                {
                    for source in sources.reversed() {
                        source.send(2)
                        source.fail("end")
                    }
                }
            )
            settle()
            found += endedOnce(recorder, sources)
        }
        return found
    }

    /// One thread fails while the other is inside a callback, and completes after it.
    private func failureBesideCallback() -> [String] {
        let sources = makeSources()
        let calls = Tally()
        let recorder = Recorder(
            build(sources),
            onNext: { _ in
                guard calls.add(1) == 1 else { return .more }
                let done = Latch()
                onThread {
                    for source in sources { source.fail("end") }
                    done.open()
                }
                done.wait()
                return .more
            }
        )
        send(1...3, into: sources)
        complete(sources)
        return endedOnce(recorder, sources)
    }

    private func endedOnce(_ recorder: Recorder<Output.Value, Output.Failure>, _ sources: [Source]) -> [String] {
        recorder.violations
            + expect(recorder.hasEnded, "one thread completed, another failed, and no end was heard")
            + expect(live(sources) == 0, "ended from two threads, it still holds \(live(sources)) sources")
    }
}
