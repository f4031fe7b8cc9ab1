public import Bus
public import RecordSources
import Timers

/// Something that is forwarded, in order.
public enum ForwardItem: Sendable {
    /// An entry, and its cursor: a name by which reading goes on behind it, and by which a sink knows it again. A cursor is one line of
    /// text, which is not empty. For a sink that takes ``ForwardEncoding/otlp``, several entries at once, with the cursor of the last one.
    case entry(cursor: String, payload: [UInt8])
    /// An entry that is not forwarded, by its cursor; or where the source begins.
    case place(String)
    /// Something that a person should know, such as that entries are missing here.
    case note(String)
    /// All entries that there are at present came before.
    case caughtUp
}

/// The outcome of an entry.
public enum ForwardReceipt: Sendable, Hashable {
    /// It is stored.
    ///
    /// - Parameters:
    ///   - sequence: its number in the sink; `nil` where a sink has none. Later entries get higher numbers.
    ///   - isDuplicate: whether the sink had it already.
    case stored(sequence: UInt64?, isDuplicate: Bool)
    /// It can never be stored, while others can. The reason is reported; it is `nil` where the sink has reported it.
    case leftOut(reason: String?)
}

/// Where entries are stored, each with an acknowledgement.
public protocol ForwardSink: Sendable {
    /// Makes a connection, which is not opened yet. Called for each attempt.
    func connection() -> any ForwardConnection

    /// The form in which the sink takes entries of a journal; ``ForwardEncoding/json`` by default.
    var encoding: ForwardEncoding { get }

    /// How many entries may be on their way at once; ``Forwarder/maxPending`` unless said.
    var maxPending: Int { get }

    /// How many bytes entries may take that are on their way, or done behind one that is; ``Forwarder/maxBytes`` unless said.
    var maxBytes: Int { get }
}

extension ForwardSink {
    public var encoding: ForwardEncoding { .json }
    public var maxPending: Int { Forwarder.maxPending }
    public var maxBytes: Int { Forwarder.maxBytes }
}

/// The form of an entry's payload.
public enum ForwardEncoding: Sendable, Hashable {
    /// A JSON object, as `journalctl -o json` writes it.
    case json
    /// A request to an OpenTelemetry receiver with one log record or several, see ``OTLPLogs``.
    case otlp
}

/// One connection to a sink, from its opening to its end.
public protocol ForwardConnection: Sendable {
    /// Opens the connection, and finds out what the sink has behind a place. The task is cancelled when the forwarding is; what it
    /// returns then is dropped.
    func begin(from place: ForwardPlace) async throws(ForwardError) -> ForwardBeginning

    /// Stores an entry. Up to ``ForwardSink/maxPending`` are on their way at once.
    ///
    /// - Parameters:
    ///   - payload: the entry.
    ///   - cursor: its cursor. The same entry may come again, and has the same cursor then.
    func store(_ payload: [UInt8], cursor: String) -> AnySignal<ForwardReceipt, ForwardError>

    /// Fails when the connection ends. Otherwise a forwarder that has nothing to send would not notice.
    func ending(on scheduler: ThreadScheduler) -> AnySignal<Void, ForwardError>
}

/// Stores what it reads in a sink: each entry at least once, and in order as far as the sink stores them so.
///
/// ```swift
/// import Bus
/// import Forwarding
/// import JournalBridge
/// import RecordSources
///
/// let file = CursorFile(path: "/var/lib/shop/cursor")
/// let keeper = PlaceKeeper(file) { print($0) }
/// let worker = ThreadScheduler(name: "forwarding")
/// let sink = try JetStreamSink("nats://hub:4222", subject: "journal.web-1")
///
/// let forwarding = Forwarder(to: sink, from: .system, on: worker)
///     .forwarded(from: try ForwardPlace(file), keep: keeper) { print($0) }
///     .subscribe(
///         next: { news in if case .stored = news { print("one more is stored") } },
///         failed: { print($0) }
///     )
/// ```
///
/// A place is kept up to which everything is stored. After a failure that may pass, another attempt begins there; entries behind it
/// that the sink has already are known by their cursors, and are not sent again.
public struct Forwarder: Sendable {
    /// How many entries may be on their way, unless the sink says another number.
    public static let maxPending = 256
    /// How many bytes entries may take that are on their way, or done behind one that is, unless the sink says another number.
    public static let maxBytes = 16 << 20

    /// Makes the signal of entries behind a cursor, or of all entries without one. It is called for each connection.
    public typealias Source = @Sendable (_ behind: String?) -> AnySignal<ForwardItem, ForwardError>

    /// An event of forwarding.
    public enum News: Sendable, Hashable {
        /// There is a connection, and the place where it goes on is known.
        case began
        /// The sink has an entry; it had it before if `isDuplicate`.
        case stored(isDuplicate: Bool)
        /// The sink refuses an entry for good; the reason has been reported.
        case leftOut
        /// Something was passed over.
        case passed
    }

    private let sink: any ForwardSink
    private let source: Source
    private let worker: ThreadScheduler
    private let meter: ForwardMeter
    /// Whether the source says first where it begins, and would begin elsewhere later.
    private let seeksBeginning: Bool

    /// - Parameters:
    ///   - sink: where entries are stored.
    ///   - worker: where places are noted and saved. It may be blocked by the disk.
    ///   - source: the entries behind the one with a cursor, or all.
    public init(to sink: any ForwardSink, on worker: ThreadScheduler, from source: @escaping Source) {
        self.init(to: sink, on: worker, ForwardMeter(), from: source)
    }

    init(
        to sink: any ForwardSink,
        on worker: ThreadScheduler,
        _ meter: ForwardMeter,
        seeksBeginning: Bool = false,
        from source: @escaping Source
    ) {
        self.seeksBeginning = seeksBeginning
        self.sink = sink
        self.source = source
        self.worker = worker
        self.meter = meter
    }

    /// The numbers of this forwarder and its copies. They may be read on any thread at any time.
    public var activity: ForwardActivity { meter.activity }

    /// Forwards, with further attempts after failures that may pass. Cold.
    ///
    /// - Ends: when the source has, and everything is stored.
    /// - Fails: with a failure that does not pass by waiting, and with the source.
    /// - Cancelling: closes the connection. Entries on their way may be stored or not; they come again from the place on.
    /// - Buffers: at most ``ForwardSink/maxPending`` entries that are on their way. These, and the cursors of entries that are done behind one that is
    ///   not, take at most ``ForwardSink/maxBytes`` and one entry; then the source waits.
    /// - Thread: the worker's.
    ///
    /// - Parameters:
    ///   - place: up to where everything is stored.
    ///   - keeper: is given each new place, and saves it. The first one is saved before anything is sent.
    ///   - note: called with what a person may want to know.
    public func forwarded(
        from place: ForwardPlace,
        keep keeper: PlaceKeeper,
        note: @escaping @Sendable (String) -> Void
    ) -> AnySignal<News, ForwardError> {
        let place = Lock(place)
        let patience = ForwardPatience()
        let attempts = Signals.deferred { [self] in attempt(from: place, keeper, patience, note) }
            .on(failed: { [meter] failure in
                patience.failed(failure)
                meter.failed()
            })
            .reconnecting(
                endsFailure: { news, failure in
                    switch news {
                    case .stored: true
                    case .began: failure.isOutage
                    case .leftOut, .passed: false
                    }
                },
                isTemporary: { patience.isTemporary($0) },
                note: note
            )
        return Signals.using(
            { [worker] in keeper.start(on: worker) },
            release: { [worker] saving in
                saving.dispose()
                worker.schedule { keeper.save() }
            },
            { _ in attempts }
        )
        .eraseToAnySignal()
    }

    /// Forwards over one connection.
    private func attempt(
        from place: Lock<ForwardPlace>,
        _ keeper: PlaceKeeper,
        _ patience: ForwardPatience,
        _ note: @escaping @Sendable (String) -> Void
    ) -> AnySignal<News, ForwardError> {
        let connection = sink.connection()
        let beginning = Signals.attempt { () async throws(ForwardError) in
            try await connection.begin(from: place.withLock { $0 })
        }
        // What kept it from beginning is over when it begins, also a refusal.
        .mapError { ForwardError($0.description, $0.verdict) }
        // Looking for a source's beginning may wait for a disk.
        .deliver(on: worker)
        .catch { [self] failure in
            noteBeginning(in: place, keeper, after: failure).concat(Signals.fail(failure, of: ForwardBeginning.self))
        }
        return beginning.flatMap(.concat) { [self] beginning in
            patience.foundSink()
            let missing = meter.begin()
            if missing > 0 { note("\(missing) records were on their way, and are not read again; they may be missing") }
            for text in beginning.notes { note(text) }
            begin(at: beginning.place, instead: place, keeper)
            let capacity = ByteCapacity(sink.maxBytes)
            let maxEntries = sink.maxBytes / ForwardItem.minSize
            let progress = Lock(ForwardProgress(beginning, maxEntries: maxEntries))
            return done(behind: beginning.place.cursor, over: connection, progress, capacity)
                .deliver(on: worker, limit: sink.maxPending)
                .map { [meter] done -> News? in
                    if let text = done.note { note(text) }
                    meter.ended(done.news)
                    if let number = done.number,
                        let (news, freed) = progress.withLock({ $0.finish(number, stored: done.sequence) })
                    {
                        place.withLock { $0 = news }
                        meter.reached(news)
                        keeper.note { news.text }
                        capacity.giveBack(freed)
                    }
                    return done.news
                }
                .prepend(.began)
                // The end of the source ends the wait for the connection's end, too.
                .append(nil)
                .merge(connection.ending(on: worker).map { News?.some(.passed) })
                .take(until: { $0 == nil })
                .compactMap { $0 }
        }
        .eraseToAnySignal()
    }

    /// The sink cannot be reached. Notes where the source begins now, so that what comes meanwhile is not skipped.
    private func noteBeginning(
        in place: Lock<ForwardPlace>,
        _ keeper: PlaceKeeper,
        after failure: ForwardError
    ) -> AnySignal<ForwardBeginning, ForwardError> {
        guard seeksBeginning, failure.verdict != .end, place.withLock({ $0.cursor == nil }) else {
            return Signals.empty(ForwardBeginning.self, failure: ForwardError.self).eraseToAnySignal()
        }
        return source(nil).take(first: 1)
            .timeout(Self.maxSearch, ending: .completed)
            .deliver(on: worker)
            .compactMap { item -> ForwardBeginning? in
                guard case .place(let cursor) = item else { return nil }
                let news = place.withLock { place in
                    place.cursor = cursor
                    return place
                }
                keeper.note(news.text)
                return nil
            }
            // The next attempt reads the source, and tells its failure.
            .catch { _ in Signals.empty(ForwardBeginning.self, failure: ForwardError.self) }
            .eraseToAnySignal()
    }

    /// How long the next attempt waits for the source to say where it begins.
    private static let maxSearch = Duration.seconds(5)

    /// Saves where the run begins before anything is sent.
    private func begin(at base: ForwardPlace, instead place: Lock<ForwardPlace>, _ keeper: PlaceKeeper) {
        let isNew = place.withLock { place in
            defer { place = base }
            return place != base
        }
        guard isNew else { return }
        keeper.note(base.text)
        keeper.save()
    }

    private func done(
        behind cursor: String?,
        over connection: any ForwardConnection,
        _ progress: Lock<ForwardProgress>,
        _ capacity: ByteCapacity
    ) -> AnySignal<ForwardDone, ForwardError> {
        let works = source(cursor).taking(capacity).map { [meter] item -> ForwardWork in
            let size = item.size
            switch item {
            case .caughtUp:
                meter.caughtUp()
                return .done(ForwardDone())
            case .note(let text): return .done(ForwardDone(note: text))
            case .place(let cursor):
                let (number, freed) = progress.withLock { $0.pass(cursor, size: size) }
                capacity.giveBack(freed)
                return .done(ForwardDone(number: number))
            case .entry(let cursor, let payload):
                let (number, stored) = progress.withLock { $0.begin(cursor, size: size) }
                if let stored { return .done(ForwardDone(number: number, sequence: stored)) }
                meter.read()
                return .entry(number: number, cursor: cursor, payload: payload)
            }
        }
        return connection.done(works.eraseToAnySignal(), maxPending: sink.maxPending)
    }
}

extension ForwardItem: Sized {
    /// About how many bytes an entry or a place takes besides its text.
    static let minSize = 64

    package var size: Int {
        switch self {
        case .entry(let cursor, let payload): Self.minSize + cursor.utf8.count + payload.count
        case .place(let cursor): Self.minSize + cursor.utf8.count
        case .note, .caughtUp: 0
        }
    }
}
