public import Bus

extension Signal where Value == ChangeBatch, Failure == FileWatchError {
    /// Makes changes from the kernel's records, and adds the start of a move to its end.
    ///
    /// - Parameter limit: how many changes may wait while the observer pauses, more than twice as many as a batch
    ///   has. It is told to pause in the middle of a batch, and the rest of the batch waits; another batch is not
    ///   taken before half of them are sent.
    @inlinable
    func pairingMoves(limit: Int) -> some Signal<FileChange, FileWatchError> {
        MovePairingSignal(upstream: self, limit: limit)
    }
}

@frozen
@usableFromInline
struct MovePairingSignal<Upstream: Signal>: Signal
where Upstream.Value == ChangeBatch, Upstream.Failure == FileWatchError {
    @usableFromInline typealias Value = FileChange
    @usableFromInline typealias Failure = FileWatchError
    @usableFromInline let upstream: Upstream
    @usableFromInline let limit: Int

    @inlinable
    init(upstream: Upstream, limit: Int) {
        self.upstream = upstream
        self.limit = limit
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        guard observer.demand != .stop else {
            observer.terminate(.completed)
            return FinishedDisposable()
        }
        let output = SerialObserver(observer, limit: limit)
        output.resources.add(upstream.subscribe(MovePairingObserver(output)))
        return output.handle
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("pairingMoves") }
    @usableFromInline var chain: Chain { upstream.chain.appending("pairingMoves") }
}

@frozen
@usableFromInline
struct MovePairingObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == FileChange, Downstream.Failure == FileWatchError {
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let sender: Sender<Downstream>
    @usableFromInline var pairing = MovePairing()

    @inlinable
    init(_ output: SerialObserver<Downstream>) {
        self.output = output
        sender = Sender(output)
    }

    @inlinable
    mutating func next(_ batch: ChangeBatch) -> Demand {
        batch.leave()
        for raw in batch.changes {
            if let change = pairing.change(raw), output.next(change) == .stop { return .stop }
        }
        return output.demand
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @inlinable
    consuming func terminate(_ termination: Termination<FileWatchError>) { output.terminate(termination) }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}

/// Makes a change of each of the kernel's records, and remembers where moves began.
@usableFromInline
struct MovePairing: Sendable {
    /// Moves whose end may follow. The kernel notes the two together, with at most other events in between.
    private static var memory: Int { 8 }

    private var begun: [(cookie: UInt32, name: FileName)] = []

    @usableFromInline
    init() {}

    /// Nil for events of the watch itself.
    @usableFromInline
    mutating func change(_ raw: RawChange) -> FileChange? {
        guard let kind = raw.kind else { return nil }
        return FileChange(
            kind,
            raw.name,
            previousName: raw.cookie == 0 ? nil : previousName(kind, raw),
            isDirectory: raw.isDirectory,
            cookie: raw.cookie
        )
    }

    private mutating func previousName(_ kind: FileChange.Kind, _ raw: RawChange) -> FileName? {
        if kind == .movedFrom {
            if begun.count == Self.memory { begun.removeFirst() }
            begun.append((raw.cookie, raw.name))
        } else if let index = begun.firstIndex(where: { $0.cookie == raw.cookie }) {
            return begun.remove(at: index).name
        }
        return nil
    }
}
