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
    /// What does not reach journald is not kept. Once one does again, an entry before it says how many are missing, in words
    /// and in the field `LOST`; the same where values were lost on the way here.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source; a journal that takes nothing ends nothing.
    /// - Cancelling: ends the source's subscription.
    /// - Buffers: nothing.
    /// - Thread: the source's, which waits as ``JournalWriter`` says, 500 ms at most unless told. Where it must not, as on the
    ///   thread of all timers, `deliver(on:)` a thread before.
    ///
    /// - Parameters:
    ///   - journal: where to.
    ///   - unwritten: called with the reason for each value that was not written, on the same thread.
    ///   - message: what is written of a value; nil for nothing.
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
        upstream.subscribe(
            JournalWritingObserver(downstream: observer, journal: journal, unwritten: unwritten, message: message)
        )
    }

    var chain: Chain { upstream.chain.appending("write(journal)") }
}

struct JournalWritingObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable {
    typealias Value = Downstream.Value
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let journal: JournalWriter
    let unwritten: @Sendable (JournalWriteError) -> Void
    let message: @Sendable (Value) -> JournalMessage?
    /// How many entries are missing before the next one.
    var missing = 0

    init(
        downstream: consuming Downstream,
        journal: JournalWriter,
        unwritten: @escaping @Sendable (JournalWriteError) -> Void,
        message: @escaping @Sendable (Value) -> JournalMessage?
    ) {
        self.downstream = downstream
        self.journal = journal
        self.unwritten = unwritten
        self.message = message
    }

    mutating func next(_ value: Value) -> Demand {
        if let message = message(value) {
            do throws(JournalWriteError) {
                try tellOfMissing()
                try journal.write(message)
            } catch {
                missing += 1
                unwritten(error)
            }
        }
        return downstream.next(value)
    }

    mutating func lost(_ count: Int) {
        missing += count
        downstream.lost(count)
    }

    consuming func terminate(_ termination: Termination<Failure>) {
        do throws(JournalWriteError) {
            try tellOfMissing()
        } catch {
            unwritten(error)
        }
        downstream.terminate(termination)
    }

    var demand: Demand { downstream.demand }

    private mutating func tellOfMissing() throws(JournalWriteError) {
        guard missing > 0 else { return }
        var message = JournalMessage("\(missing) messages are missing here", priority: .warning)
        message.add("LOST", "\(missing)")
        try journal.write(message)
        missing = 0
    }
}
