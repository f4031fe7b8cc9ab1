import Bus
import Synchronization

/// The stage of a piece of ``SharedWork``: not begun, claimed by a thread, or done.
struct WorkStage: ~Copyable {
    private enum Stage {
        static let waiting: UInt8 = 0
        static let running: UInt8 = 1
        static let done: UInt8 = 2
    }

    private let stage = Atomic<UInt8>(Stage.waiting)
    /// Wakes the thread that reads.
    private let reader: Parker

    init(reader: Parker) {
        self.reader = reader
    }

    /// Whether the caller is now to do the work. Only the first caller is.
    func claim() -> Bool {
        stage.compareExchange(expected: Stage.waiting, desired: Stage.running, ordering: .acquiringAndReleasing)
            .exchanged
    }

    /// The result may be read once this is true.
    var isDone: Bool { stage.load(ordering: .acquiring) == Stage.done }

    /// Called by the thread that has claimed it.
    func finish() { stage.store(Stage.done, ordering: .releasing) }

    /// The same on a thread beside the reader, which may wait for it.
    func finishForReader() {
        finish()
        reader.unpark()
    }

    /// Waits for the thread that has claimed it. To be called by the reader.
    func wait() {
        while true {
            let ticket = reader.ticket()
            if isDone { return }
            reader.park(ticket: ticket)
        }
    }
}
