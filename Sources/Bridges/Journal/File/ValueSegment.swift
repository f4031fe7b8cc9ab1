import Bus
import Synchronization

/// A part of a file whose values are searched by one thread: the one that reads the file, or one beside it.
// Sendable: `pass` is touched by the thread that has claimed the segment, and when that is done, by the reading
// thread.
final class ValueSegment: SharedWork, @unchecked Sendable {
    let pass: ValuePass
    let stage: WorkStage
    private let isCancelled = Atomic<Bool>(false)

    init(_ pass: ValuePass, reader: Parker) {
        self.pass = pass
        stage = WorkStage(reader: reader)
    }

    /// A further step, called by the thread that has claimed it.
    func advance() {
        pass.advance()
        if pass.isOver { stage.finish() }
    }

    func run() {
        guard stage.claim() else { return }
        while !pass.isOver, !isCancelled.load(ordering: .relaxed) { pass.advance() }
        stage.finishForReader()
    }

    /// The result is not wanted any more.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}
