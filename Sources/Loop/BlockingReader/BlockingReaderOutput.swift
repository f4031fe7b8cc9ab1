package import Bus

/// The output of a reader's thread. While the observer pauses the thread sleeps here, and the reader holds its place
/// and nothing else.
///
/// Used by the reader's thread alone.
package final class BlockingReaderOutput<Downstream: Observer & ~Copyable>: @unchecked Sendable {
    private let box: ObserverBox<Downstream>
    private let stop: BlockingReaderStop
    // Touched by the reader's thread alone.
    private var isRefused = false
    private var slept = false

    init(_ box: ObserverBox<Downstream>, until stop: BlockingReaderStop) {
        self.box = box
        self.stop = stop
    }

    /// Whether more is wanted: the subscription was not disposed of, and the observer has not answered stop.
    package var isOpen: Bool { !isRefused && !stop.isDisposed }

    /// A descriptor that is readable once the subscription was disposed of.
    package var stopDescriptor: CInt { stop.descriptor }

    /// Sends a value, and returns when the observer is ready for another. False when nothing more is wanted.
    package func send(_ value: Downstream.Value) -> Bool {
        goesOn(after: box.observer?.next(value) ?? .stop)
    }

    /// Returns when the observer is ready for a value. False when none is wanted.
    package func waitUntilReady() -> Bool { goesOn(after: box.observer?.demand ?? .stop) }

    /// Whether the thread has slept here since this was last asked.
    package func hasSlept() -> Bool {
        defer { slept = false }
        return slept
    }

    /// Ends the subscription from this side, unless it was disposed of.
    func terminate(_ termination: Termination<Downstream.Failure>) {
        let observer = box.observer.take()
        if !stop.isDisposed { observer?.terminate(termination) }
    }

    private func goesOn(after demand: Demand) -> Bool {
        var demand = demand
        while demand == .pause, !stop.isDisposed { demand = sleep() }
        if demand == .stop { isRefused = true }
        return isOpen
    }

    /// Sleeps until the observer calls back; returns what it wants then.
    private func sleep() -> Demand {
        let pause = BlockingReaderPause()
        // Only the request holds it, so that the thread notices when the observer releases the request and nobody
        // calls back any more.
        let answer = ask(BlockingReaderPause.Caller(pause, wakes: stop))
        guard answer == .pause else { return answer }
        slept = true
        stop.park { pause.outcome != .expected }
        return pause.outcome == .called ? box.observer?.demand ?? .stop : .stop
    }

    private func ask(_ caller: BlockingReaderPause.Caller) -> Demand {
        box.observer?.whenReady { caller.call() } ?? .stop
    }
}
