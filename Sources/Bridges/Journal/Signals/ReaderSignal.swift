import Bus

/// What a reader's thread does: it opens, reads, and calls the observer until the end or until it is stopped.
protocol BlockingReading: Sendable, SendableMetatype {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    /// Returns when there is nothing more to read, the observer wants no more or `stop` was disposed of. Whatever was
    /// opened is closed by then.
    func deliver<Downstream: Observer & ~Copyable>(
        to box: ObserverBox<Downstream>,
        until stop: ReaderStop
    ) throws(Failure) where Downstream.Value == Value, Downstream.Failure == Failure

    /// What a reader that could not be started fails with.
    func failure(_ error: JournalError) -> Failure
}

/// A blocking reader as a signal. Cold: every subscription reads on a thread of its own, which is where it speaks.
struct ReaderSignal<Reading: BlockingReading>: Signal {
    typealias Value = Reading.Value
    typealias Failure = Reading.Failure

    let reading: Reading

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
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
        var termination = Termination<Failure>.completed
        do throws(Failure) {
            try reading.deliver(to: box, until: stop)
        } catch {
            termination = .failed(error)
        }
        let observer = box.observer.take()
        if !stop.isDisposed { observer?.terminate(termination) }
    }
}
