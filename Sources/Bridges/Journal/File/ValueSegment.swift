import Bus
import Synchronization

/// A part of a file whose values are searched by one thread: the one that reads the file, or one beside it.
// Sendable: `pass` is touched by the thread that has claimed the segment, and when that is done, by the one that reads.
final class ValueSegment: @unchecked Sendable {
    private enum Stage {
        static let waiting: UInt8 = 0
        static let running: UInt8 = 1
        static let done: UInt8 = 2
    }

    let pass: ValuePass
    private let stage = Atomic<UInt8>(Stage.waiting)
    private let isCancelled = Atomic<Bool>(false)
    /// Wakes the thread that reads.
    private let reader: Parker

    init(_ pass: ValuePass, reader: Parker) {
        self.pass = pass
        self.reader = reader
    }

    /// Whether the caller is the one who searches it.
    func claim() -> Bool {
        stage.compareExchange(expected: Stage.waiting, desired: Stage.running, ordering: .acquiringAndReleasing)
            .exchanged
    }

    var isDone: Bool { stage.load(ordering: .acquiring) == Stage.done }

    /// A further step, by the one who has claimed it.
    func advance() {
        pass.advance()
        if pass.isOver { stage.store(Stage.done, ordering: .releasing) }
    }

    /// All of it, on a thread beside the reader.
    func run() {
        guard claim() else { return }
        while !pass.isOver, !isCancelled.load(ordering: .relaxed) { pass.advance() }
        stage.store(Stage.done, ordering: .releasing)
        reader.unpark()
    }

    /// The result is not wanted any more.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Waits for the thread that has claimed it.
    func wait() {
        while true {
            let ticket = reader.ticket()
            if isDone { return }
            reader.park(ticket: ticket)
        }
    }
}
