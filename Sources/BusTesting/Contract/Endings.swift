import Bus

// Promise 1: the grammar, and that what was acquired is released before the end is heard.
extension ContractCheck {
    func completion() -> [String] {
        endings("completion") { source in source.complete() }
    }

    func failure() -> [String] {
        endings("failure") { source in source.fail("end") }
    }

    private func endings(_ what: String, _ end: (Source) -> Void) -> [String] {
        let sources = makeSources()
        let heldAtEnd = Tally()
        let recorder = Recorder(build(sources), onEnd: { heldAtEnd.set(self.live(sources)) })
        for value in 1...3 {
            for source in sources { source.send(value) }
        }
        for source in sources { end(source) }
        for source in sources { source.send(99) }
        settle()
        return recorder.violations
            + expect(recorder.hasEnded, "after the \(what) of its sources no end was heard")
            + expect(heldAtEnd.value == 0, "\(heldAtEnd.value) sources were still held when the \(what) was heard")
            + expect(recorder.values.count > 0, "nothing passed, so nothing was checked")
    }

    /// Promise 1, when it is the observer that wants no more.
    func stopping() -> [String] {
        let sources = makeSources()
        let heldAtEnd = Tally()
        let recorder = Recorder(build(sources), onNext: { _ in .stop }, onEnd: { heldAtEnd.set(self.live(sources)) })
        for value in 1...3 {
            for source in sources { source.send(value) }
        }
        settle()
        return recorder.violations
            + expect(recorder.values.count == 1, "after stop \(recorder.values.count - 1) more values came")
            + expect(recorder.hasEnded, "after stop no end was heard")
            + expect(heldAtEnd.value == 0, "\(heldAtEnd.value) sources were still held when the stop was confirmed")
    }
}

/// A number set from one closure and read from another.
final class Tally: Sendable {
    private let number: Lock<Int>

    init(_ number: Int = 0) {
        self.number = Lock(number)
    }

    var value: Int { number.withLock { $0 } }

    func set(_ value: Int) { number.withLock { $0 = value } }

    func add(_ value: Int) { number.withLock { $0 += value } }
}
