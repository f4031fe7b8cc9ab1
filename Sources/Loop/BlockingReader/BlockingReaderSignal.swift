package import Bus

/// A library that blocks, as a signal. Cold: every subscription reads on a thread of its own.
///
/// - Ends: when the reading returns. It has closed everything that it opened.
/// - Fails: when the reading throws; when there is no thread or no descriptor for it.
/// - Cancelling: does not wait. A reader that sleeps or waits ends at once, another at its next step.
/// - Pausing: the thread sleeps. The reader holds its place, and reads nothing.
/// - Thread: the reader's own.
package struct BlockingReaderSignal<Reading: BlockingReading>: Signal {
    package typealias Value = Reading.Value
    package typealias Failure = Reading.Failure

    private let reading: Reading

    package init(_ reading: Reading) {
        self.reading = reading
    }

    package func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let box = ObserverBox(observer)
        do throws(BlockingReaderError) {
            let stop = try BlockingReaderStop()
            try startThread { run(for: box, until: stop) }
            return stop
        } catch {
            box.observer.take()?.terminate(.failed(reading.failure(error)))
            return FinishedDisposable()
        }
    }

    private func startThread(_ body: @escaping @Sendable () -> Void) throws(BlockingReaderError) {
        do throws(PinnedThread.StartError) {
            try PinnedThread.start(name: reading.threadName, body)
        } catch {
            throw BlockingReaderError(operation: "start a reader", code: error.code)
        }
    }

    private func run<Downstream: Observer & ~Copyable>(for box: ObserverBox<Downstream>, until stop: BlockingReaderStop)
    where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = BlockingReaderOutput(box, until: stop)
        var termination = Termination<Failure>.completed
        do throws(Failure) {
            try reading.deliver(to: output)
        } catch {
            // An error after the observer wanted no more is not a failure of the signal.
            if output.isOpen { termination = .failed(error) }
        }
        output.terminate(termination)
    }
}
