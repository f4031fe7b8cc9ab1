import Bus

/// A journal as a signal. Cold: every subscription has its own reader on its own thread, which is where it speaks.
struct JournalSignal<Projection: JournalProjection>: Signal {
    typealias Value = Projection.Value
    typealias Failure = JournalError

    let source: JournalSource
    let start: JournalStart
    let follow: Bool
    let query: JournalQuery
    let makeProjection: @Sendable () -> Projection

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == JournalError {
        let box = ObserverBox(observer)
        do throws(JournalError) {
            let stop = try JournalStop()
            try startThread { read(for: box, until: stop) }
            return stop
        } catch {
            box.observer.take()?.terminate(.failed(error))
            return FinishedDisposable()
        }
    }

    private func startThread(_ body: @escaping @Sendable () -> Void) throws(JournalError) {
        do throws(PinnedThread.StartError) {
            try PinnedThread.start(name: "bus-journal", body)
        } catch {
            throw JournalError("start the journal's reader", errno: error.code)
        }
    }

    /// The thread: reads until the end, and lets go of the journal before it says so.
    private func read<Downstream: Observer & ~Copyable>(for box: ObserverBox<Downstream>, until stop: JournalStop)
    where Downstream.Value == Value, Downstream.Failure == JournalError {
        var termination = Termination<JournalError>.completed
        do throws(JournalError) {
            try deliver(to: box, until: stop)
        } catch {
            termination = .failed(error)
        }
        let observer = box.observer.take()
        if !stop.isDisposed { observer?.terminate(termination) }
    }

    private func deliver<Downstream: Observer & ~Copyable>(
        to box: ObserverBox<Downstream>,
        until stop: JournalStop
    ) throws(JournalError) where Downstream.Value == Value, Downstream.Failure == JournalError {
        let reader = try JournalReader(source, from: start, follow: follow, query: query)
        var projection = makeProjection()
        var hasNews = true
        while !stop.isDisposed {
            var value: Value?
            switch try reader.advance() {
            case .entry:
                value = projection.entry(in: reader)
                hasNews = true
            case .gap(let gap): value = projection.gap(gap)
            case .busy: hasNews = true
            case .end: return
            case .caughtUp:
                if hasNews {
                    hasNews = false
                    value = projection.caughtUp
                } else {
                    try reader.wait(until: stop.descriptor)
                }
            }
            if let value {
                if box.observer?.next(value) == .stop { return }
            } else if box.observer?.demand == .stop {
                return
            }
        }
    }
}
