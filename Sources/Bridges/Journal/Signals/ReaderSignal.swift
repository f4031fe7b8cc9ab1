import Bus

/// What a reader's thread does: it opens, reads, and sends until the end or until nothing more is wanted.
protocol BlockingReading: Sendable, SendableMetatype {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    /// Returns when there is nothing more to read or `output` is no longer open. Whatever was opened is closed by then.
    func deliver<Downstream: Observer & ~Copyable>(
        to output: ReaderOutput<Downstream>
    ) throws(Failure) where Downstream.Value == Value, Downstream.Failure == Failure

    /// What a reader that could not be started fails with.
    func failure(_ error: JournalError) -> Failure
}

/// A blocking reader as a signal. Cold: every subscription reads on a thread of its own, which is where it speaks, and which
/// sleeps while its observer pauses.
struct ReaderSignal<Reading: BlockingReading>: Signal {
    typealias Value = Reading.Value
    typealias Failure = Reading.Failure

    let reading: Reading

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let box = ObserverBox(observer)
        do throws(JournalError) {
            let stop = try ReaderStop()
            try startThread { run(for: box, until: stop) }
            return stop
        } catch {
            box.observer.take()?.terminate(.failed(reading.failure(error)))
            return FinishedDisposable()
        }
    }

    private func startThread(_ body: @escaping @Sendable () -> Void) throws(JournalError) {
        do throws(PinnedThread.StartError) {
            try PinnedThread.start(name: "bus-journal", body)
        } catch {
            throw JournalError("start a reader", errno: error.code)
        }
    }

    private func run<Downstream: Observer & ~Copyable>(for box: ObserverBox<Downstream>, until stop: ReaderStop)
    where Downstream.Value == Value, Downstream.Failure == Failure {
        let output = ReaderOutput(box, until: stop)
        var termination = Termination<Failure>.completed
        do throws(Failure) {
            try reading.deliver(to: output)
        } catch {
            // What broke after the observer wanted no more is no failure of what it wanted.
            if output.isOpen { termination = .failed(error) }
        }
        output.terminate(termination)
    }
}
