import Synchronization

/// One pause of a reader.
final class BlockingReaderPause: Sendable {
    enum Outcome: UInt8 {
        case expected = 0
        case called = 1
        /// Nobody can call back any more.
        case dropped = 2
    }

    private let state = Atomic<UInt8>(Outcome.expected.rawValue)

    var outcome: Outcome { Outcome(rawValue: state.load(ordering: .acquiring)) ?? .dropped }

    /// The part that the observer keeps, to call or to release.
    final class Caller: Sendable {
        private let pause: BlockingReaderPause
        private let stop: BlockingReaderStop

        init(_ pause: BlockingReaderPause, wakes stop: BlockingReaderStop) {
            self.pause = pause
            self.stop = stop
        }

        deinit {
            end(.dropped)
        }

        func call() { end(.called) }

        private func end(_ outcome: Outcome) {
            let isFirst = pause.state.compareExchange(
                expected: Outcome.expected.rawValue,
                desired: outcome.rawValue,
                ordering: .acquiringAndReleasing
            ).exchanged
            if isFirst { stop.unpark() }
        }
    }
}
