import Bus

// Promise 1: the grammar; acquired resources are released before the end is heard.
extension ContractCheck {
    /// - Parameters:
    ///   - count: how many values come before the end.
    ///   - what: the end, in words.
    ///   - end: causes the end.
    func endings(_ count: Int, _ what: String, _ end: (Source) -> Void) -> [String] {
        let sources = makeSources()
        let heldAtEnd = Tally()
        let recorder = Recorder(build(sources), onEnd: { heldAtEnd.set(self.live(sources)) })
        if count > 0 { send(1...count, into: sources) }
        let hasHeard = !recorder.values.isEmpty
        for source in sources { end(source) }
        for source in sources { source.send(99) }
        settle()
        let scene = count == 0 ? "without a value" : "after \(count) values"
        return recorder.violations
            + expect(recorder.hasEnded, "the sources' \(what) \(scene): no end was heard")
            + expect(
                heldAtEnd.value == 0,
                "the sources' \(what) \(scene): \(heldAtEnd.value) sources were still held when the end was heard"
            )
            + expect(
                count < 3 || what != "completion" || hasHeard || !recorder.values.isEmpty,
                "nothing passed, so nothing was checked"
            )
    }

    /// The observer wants no more.
    func stopping() -> [String] {
        let sources = makeSources()
        let heldAtEnd = Tally()
        let recorder = Recorder(build(sources), onNext: { _ in .stop }, onEnd: { heldAtEnd.set(self.live(sources)) })
        send(1...3, into: sources)
        // An operator that sends at its sources' end has not been notified yet.
        if recorder.values.isEmpty { complete(sources) }
        return recorder.violations
            + expect(recorder.values.count == 1, "after stop \(recorder.values.count - 1) more values came")
            + expect(recorder.hasEnded, "after stop no end was heard")
            + expect(heldAtEnd.value == 0, "\(heldAtEnd.value) sources were still held when the stop was confirmed")
    }

    /// The sources send everything while they are being subscribed to.
    func synchronousSources() -> [String] {
        var found: [String] = []
        for ends in [true, false] {
            let values: [Event<Int, TestFailure>] = [.next(1), .next(2), .next(3)]
            let sources = makeSources(opening: ends ? values + [.completed] : values)
            let heldAtEnd = Tally()
            let recorder = Recorder(
                build(sources),
                onNext: { _ in ends ? .more : .stop },
                onEnd: { heldAtEnd.set(self.live(sources)) }
            )
            settle()
            let scene = "sources that speak while they are subscribed to"
            found += recorder.violations
            if ends {
                found += expect(recorder.hasEnded, "\(scene): they ended, and no end was heard")
            } else if !recorder.values.isEmpty {
                found += expect(recorder.values.count == 1, "\(scene): after stop more values came")
                found += expect(recorder.hasEnded, "\(scene): after stop no end was heard")
            }
            found += expect(
                !recorder.hasEnded || live(sources) == 0,
                "\(scene): \(live(sources)) are still held after the end"
            )
            recorder.dispose()
        }
        return found
    }

    /// The sources complete inside a callback.
    func endingInsideCallback() -> [String] {
        let sources = makeSources()
        let calls = Tally()
        let recorder = Recorder(
            build(sources),
            onNext: { _ in
                calls.add(1)
                if calls.value == 1 { for source in sources { source.complete() } }
                return .more
            }
        )
        send(1...3, into: sources)
        complete(sources)
        return recorder.violations
            + expect(recorder.hasEnded, "completed inside a callback, no end was heard")
            + expect(live(sources) == 0, "completed inside a callback, it still holds \(live(sources)) sources")
    }

    /// The sources complete on another thread while a callback waits for that.
    func endingBesideCallback() -> [String] {
        let sources = makeSources()
        let calls = Tally()
        let recorder = Recorder(
            build(sources),
            onNext: { _ in
                calls.add(1)
                guard calls.value == 1 else { return .more }
                let done = Latch()
                onThread {
                    for source in sources { source.complete() }
                    done.open()
                }
                done.wait()
                return .more
            }
        )
        send(1...3, into: sources)
        complete(sources)
        return recorder.violations
            + expect(recorder.hasEnded, "completed on another thread during a callback, no end was heard")
    }
}
