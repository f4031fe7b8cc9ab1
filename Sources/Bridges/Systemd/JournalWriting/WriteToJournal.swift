public import Bus

extension Signal {
    /// The same signal; each value is written to the journal before it is passed on.
    ///
    /// ```
    /// self         --1-----2-----3--|
    /// write(to:)   --1-----2-----3--|
    ///                entry entry entry
    /// ```
    ///
    /// As a sink it is subscribed to without more: `signal.write(to: .system) { JournalMessage("\($0)") }.subscribe()`.
    ///
    /// Entries that do not reach journald are not kept. When one does again, an entry before it says how many are
    /// missing, in words and in the field `LOST`; likewise where values were lost on the way here.
    ///
    /// While journald's queue is full the value and all later ones wait, and the source is told to pause; no thread
    /// waits. A value that has waited for the writer's `patience` is passed on unwritten, and later ones at once,
    /// until journald takes an entry again.
    ///
    /// - Ends: with the source, when the waiting values are written or given up.
    /// - Fails: with the source, likewise; a journal that takes nothing ends nothing.
    /// - Cancelling: ends the source's subscription and drops the waiting values.
    /// - Buffers: at most 1,024 values while journald's queue is full, if the source does not pause; further ones are
    ///   lost and counted. As many again while the observer pauses.
    /// - Thread: the source's; after a wait that of `ThreadScheduler.shared`; `bus-delivery` for values that these leave
    ///   because many wait.
    ///
    /// - Parameters:
    ///   - journal: where to.
    ///   - unwritten: called with the reason for each value that was not written, before it is passed on.
    ///   - message: makes the message for a value; nil for none. Called where the source sends.
    public func write(
        to journal: JournalWriter,
        unwritten: @escaping @Sendable (JournalWriteError) -> Void = { _ in },
        _ message: @escaping @Sendable (Value) -> JournalMessage?
    ) -> some Signal<Value, Failure> {
        JournalWritingSignal(upstream: self, journal: journal, unwritten: unwritten, message: message)
    }
}

struct JournalWritingSignal<Upstream: Signal>: Signal {
    typealias Value = Upstream.Value
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let journal: JournalWriter
    let unwritten: @Sendable (JournalWriteError) -> Void
    let message: @Sendable (Upstream.Value) -> JournalMessage?

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let output = SerialObserver(observer)
        let writing = JournalWritingObserver(output, journal: journal, unwritten: unwritten, message: message)
        writing.addResources()
        output.resources.add(upstream.subscribe(writing))
        return output.handle
    }

    static var chain: Chain { Upstream.chain.appending("write(journal)") }
    var chain: Chain { upstream.chain.appending("write(journal)") }
}

struct JournalWritingObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    typealias Value = Downstream.Value
    typealias Failure = Downstream.Failure
    private let output: SerialObserver<Downstream>
    /// Also held by every waiting entry: the downstream is released when these have been passed on.
    private let sender: Sender<Downstream>
    private let outbox: JournalOutbox
    private let unwritten: @Sendable (JournalWriteError) -> Void
    private let message: @Sendable (Value) -> JournalMessage?

    init(
        _ output: SerialObserver<Downstream>,
        journal: JournalWriter,
        unwritten: @escaping @Sendable (JournalWriteError) -> Void,
        message: @escaping @Sendable (Value) -> JournalMessage?
    ) {
        self.output = output
        sender = Sender(output)
        outbox = JournalOutbox(journal.port, tellsOfMissing: true) { output.lost($0) }
        self.unwritten = unwritten
        self.message = message
    }

    func addResources() {
        for resource in outbox.resources { output.resources.add(resource) }
    }

    mutating func next(_ value: Value) -> Demand {
        if output.isClosing { return .stop }
        let isTaken = outbox.submit(message(value)) { [output, sender, unwritten] error in
            if let error { unwritten(error) }
            _ = output.next(value)
            withExtendedLifetime(sender) {}
        }
        if !isTaken { outbox.lost(1) }
        return demand
    }

    mutating func lost(_ count: Int) { outbox.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) {
        outbox.end { [output, sender, unwritten] error in
            if let error { unwritten(error) }
            output.terminate(termination)
            withExtendedLifetime(sender) {}
        }
    }

    var demand: Demand {
        let demand = output.demand
        return demand == .more && outbox.isBusy ? .pause : demand
    }

    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if output.isClosing { return .stop }
        return outbox.whenIdle(resume) ? .pause : output.whenReady(resume)
    }
}
