import Bus

// Promise 5: disposal is idempotent, may come from anywhere, and never needs the source to end.
extension ContractCheck {
    func disposalInsideCallback() -> [String] {
        let sources = makeSources()
        let subscription = SerialDisposable()
        let heard = Tally()
        subscription.set(
            build(sources).subscribe(
                next: { _ in
                    heard.add(1)
                    subscription.dispose()
                    subscription.dispose()
                },
                failed: { _ in heard.add(1000) },
                completed: { heard.add(1000) }
            )
        )
        send(1...3, into: sources)
        complete(sources)
        return expect(heard.value == 1, "disposed of inside the first callback, it went on (\(heard.value) calls)")
            + expect(live(sources) == 0, "disposed of inside a callback, it still holds \(live(sources)) sources")
    }

    func disposalInsideLoss() -> [String] {
        let sources = makeSources()
        let subscription = SerialDisposable()
        let isDisposed = Tally()
        let heard = Tally()
        subscription.set(
            build(sources).subscribe(
                next: { _ in heard.add(isDisposed.value) },
                failed: { _ in heard.add(isDisposed.value) },
                completed: { heard.add(isDisposed.value) },
                lost: { _ in
                    heard.add(isDisposed.value)
                    isDisposed.set(1)
                    subscription.dispose()
                }
            )
        )
        // Together, so that an operator with a queue finds the loss in front of values.
        sources.first?.sendLoss(of: 3)
        send(1...3, into: sources)
        complete(sources)
        return expect(
            heard.value == 0,
            "disposed of when it said that values are missing, it went on (\(heard.value) calls)"
        )
    }

    func disposalFromAnotherThread() -> [String] {
        let sources = makeSources()
        let recorder = Recorder(build(sources))
        let started = Latch()
        let finished = Latch()
        let running = Tally(sources.count)
        for source in sources {
            onThread {
                for value in 1...2_000 {
                    source.send(value)
                    if value == 20 { started.open() }
                }
                if running.add(-1) == 0 { finished.open() }
            }
        }
        started.wait()
        recorder.dispose()
        finished.wait()
        settle()
        return recorder.violations
            + expect(
                recorder.eventsAfterDisposal <= 1,
                "\(recorder.eventsAfterDisposal) events came after disposal from another thread had returned"
            )
            + expect(live(sources) == 0, "disposed of from another thread, it still holds \(live(sources)) sources")
    }
}
