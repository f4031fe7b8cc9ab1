import Bus
import Synchronization

/// The progress of a journal's search, for another thread that shows it.
///
/// The reader sees whether anybody has asked, and answers at its next step. As long as nobody asks, that costs it nothing.
package final class SearchProgress: Sendable {
    /// In bytes of the journal's files, from the first entry to the last.
    package struct Share: Equatable, Sendable {
        /// The bytes that the reader has searched.
        package var passed: UInt64
        /// The total to search.
        package var whole: UInt64

        package init(passed: UInt64, whole: UInt64) {
            (self.passed, self.whole) = (passed, whole)
        }
    }

    private struct State {
        /// The bytes before the place where reading began.
        var before: UInt64?
        var share: Share?
        var isOver = false
    }

    private let isAwaited = Atomic(true)
    private let state = Lock(State())

    package init() {}

    /// The last answer, unless there is none yet. Asks for a new one.
    package func ask() -> Share? {
        isAwaited.store(true, ordering: .relaxed)
        return state.withLock { $0.share }
    }

    /// Whether all existing entries have been read, or nobody reads any more.
    package var isOver: Bool { state.withLock { $0.isOver } }

    /// The reader's progress is `share`, counted from the first entry of all files.
    func answer(_ share: @autoclosure () -> Share) {
        guard isAwaited.load(ordering: .relaxed) else { return }
        isAwaited.store(false, ordering: .relaxed)
        let share = share()
        state.withLock { state in
            let before = state.before ?? share.passed
            state.before = before
            guard share.whole > before else { return }
            let passed = share.passed > before ? share.passed - before : 0
            state.share = Share(passed: passed, whole: share.whole - before)
        }
    }

    func end() { state.withLock { $0.isOver = true } }
}
