import Bus

// Promise 7: an observer that pauses is sent nothing until it calls back, and the queue of waiting values has a
// bound.
extension ContractCheck {
    /// The sources send for as long as they may.
    func pausing() -> [String] {
        let sources = makeSources()
        let recorder = PausingRecorder(build(sources), after: 1)
        send(1...1, into: sources)
        for value in 2...(bound + 2) {
            for source in sources where source.demand == .more { source.send(value) }
        }
        settle()
        let overrun = recorder.overrun
        let isSourceFree = sources.contains { $0.liveSubscriptions > 0 && $0.demand == .more }
        // Never told to pause, they have sent more than may be held; values that are not lost come now.
        if isSourceFree { recorder.release() }
        settle()
        let held = recorder.valueCount - 1
        recorder.dispose()
        settle()
        return recorder.violations
            + expect(overrun == 0, "\(overrun) values came while the observer paused")
            + expect(
                !isSourceFree || held <= bound * max(1, inputs),
                "while the observer paused it held \(held) values, and did not tell its sources to pause"
            )
            + expect(live(sources) == 0, "disposed of, it still holds \(live(sources)) sources")
    }

    /// The sources wait when they are told to, and send from inside the callback, in which the observer pauses again.
    func resuming() -> [String] {
        let sources = makeSources()
        let recorder = PausingRecorder(build(sources), after: 1)
        // Not yet, if the observer paused before that.
        let isSubscribed = sources.allSatisfy { $0.liveSubscriptions > 0 }
        let feeds = sources.map { Feed($0, count: Self.feedCount) }
        for feed in feeds { feed.run() }
        settle()
        releaseOneByOne(recorder)
        let overrun = recorder.overrun
        recorder.release()
        settle()
        letOthersCatchUp(feeds)
        let repeated = sources.reduce(0) { $0 + $1.answers.repeatedCallbacks }
        let stuck = feeds.count { !$0.isAtRest }
        // Which values several inputs make together depends on their order.
        let wanted = inputs == 1 && isSubscribed && stuck == 0 ? valuesWithoutPauses() : 0
        let heard = recorder.valueCount + recorder.lost
        recorder.dispose()
        settle()
        return recorder.violations
            + expect(overrun == 0, "\(overrun) values came while the observer paused")
            + expect(repeated == 0, "\(repeated) sources that waited were called back more than once")
            + expect(
                stuck == 0,
                "the observer is ready, and \(stuck) sources that were told to pause were not called back"
            )
            + expect(
                recorder.lost == 0,
                "\(recorder.lost) values were lost, though the sources waited when told to"
            )
            + expect(
                heard >= wanted,
                "an observer that pauses heard \(heard) values and losses, and one that does not heard \(wanted)"
            )
    }

    /// An operator like `zip` pauses the source that is ahead, and calls it back when the others have sent more.
    private func letOthersCatchUp(_ feeds: [Feed]) {
        for _ in 0..<Self.catchUpRounds where feeds.contains(where: { !$0.isAtRest }) {
            for feed in feeds where feed.isAtRest { feed.sendMore() }
            settle()
        }
    }

    /// How many values an observer hears of the same feeds that never pauses.
    private func valuesWithoutPauses() -> Int {
        let sources = makeSources()
        let recorder = Recorder(build(sources))
        for source in sources { Feed(source, count: Self.feedCount).run() }
        settle()
        defer {
            recorder.dispose()
            settle()
        }
        return recorder.valueCount
    }

    private static var feedCount: Int { 6 }

    private static var catchUpRounds: Int { 16 }

    /// Values that are sent at the end wait like any other value, and the end after them.
    func endingWhilePausing() -> [String] {
        let sources = makeSources()
        let heldAtEnd = Tally()
        let recorder = PausingRecorder(
            build(sources),
            after: 1,
            onEnd: { heldAtEnd.set(self.live(sources)) }
        )
        for value in 1...3 {
            for source in sources where source.demand == .more { source.send(value) }
        }
        complete(sources)
        releaseOneByOne(recorder)
        let overrun = recorder.overrun
        recorder.release()
        settle()
        let hasEnded = recorder.hasEnded
        recorder.dispose()
        return recorder.violations
            + expect(overrun == 0, "the sources completed while the observer paused: \(overrun) values came")
            + expect(hasEnded, "the sources completed while the observer paused: no end was heard")
            + expect(
                heldAtEnd.value == 0,
                "the sources completed while the observer paused: \(heldAtEnd.value) were held when the end was heard"
            )
    }

    /// Lets the observer pause after every value, until none comes any more.
    private func releaseOneByOne(_ recorder: PausingRecorder<Output.Value, Output.Failure>) {
        var before: Int
        repeat {
            before = recorder.valueCount
            recorder.release(1)
            settle()
        } while recorder.valueCount > before
    }

    /// Nobody calls back any more, so disposal frees the waiting closures.
    func disposalWhilePausing() -> [String] {
        let sources = makeSources()
        let cage = Cage()
        let handle = build(sources).subscribe(
            PausedObserver<Output.Value, Output.Failure>(canary: Canary(cage))
        )
        send(1...2, into: sources)
        handle.dispose()
        settle()
        return withExtendedLifetime((handle, sources)) {
            expect(live(sources) == 0, "disposed of while the observer paused, it still holds \(live(sources)) sources")
                + expect(cage.isEmpty, "the chain outlived its disposal while the observer paused")
        }
    }
}

/// Sends into a source like a source that can pause.
private final class Feed: Sendable {
    private let source: ProbeSource<Int, TestFailure>
    private let count: Int
    private let sent = Tally()

    init(_ source: ProbeSource<Int, TestFailure>, count: Int) {
        self.source = source
        self.count = count
    }

    /// Whether it has nothing more to send, or nothing more is wanted.
    var isAtRest: Bool { sent.value >= count || source.demand == .stop || source.liveSubscriptions == 0 }

    func run() {
        while sent.value < count {
            switch source.demand {
            case .stop: return
            case .more: source.send(sent.add(1))
            case .pause: if source.whenReady({ self.run() }) != .more { return }
            }
        }
    }

    /// Sends as many values again, until it is told to pause.
    func sendMore() {
        for _ in 0..<count where source.demand == .more { source.send(sent.add(1)) }
    }
}

/// Pauses after its first value, and never calls back.
private struct PausedObserver<Value: Sendable, Failure: Error>: Observer, ~Copyable {
    private let canary: Canary
    private var isPaused = false
    private var resume: (@Sendable () -> Void)?

    init(canary: Canary) {
        self.canary = canary
    }

    mutating func next(_ value: Value) -> Demand {
        isPaused = true
        return .pause
    }

    mutating func lost(_ count: Int) {}

    consuming func terminate(_ termination: Termination<Failure>) {}

    var demand: Demand { isPaused ? .pause : .more }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        canary.sing()
        self.resume = resume
        return .pause
    }
}
