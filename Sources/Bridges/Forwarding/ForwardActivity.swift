import Bus

/// The numbers of a ``Forwarder`` since it was made.
///
/// Entries are counted as the source gives them: an OpenTelemetry sink gets several at once, and has numbers of its own in
/// ``OTLPSink/Counts``.
public struct ForwardActivity: Sendable, Hashable {
    /// Entries that the sink has acknowledged, those among them that it had before.
    public internal(set) var stored = 0
    /// Entries that the sink refuses for good.
    public internal(set) var leftOut = 0
    /// Entries that the present attempt has sent, or is to send, and that are neither stored nor left out.
    public internal(set) var waiting = 0
    /// Entries that the journal lost before they were read, by its gaps. A gap of unknown size counts as one entry. Of a source without places, those,
    /// too, that were on their way when an attempt failed: they may be stored or not.
    public internal(set) var lost = 0
    /// Attempts that have failed.
    public internal(set) var failures = 0
    /// Whether the last thing that was read was the source's present end. With nothing ``waiting``, everything is stored.
    public internal(set) var isCaughtUp = false
    /// The cursor up to which everything is stored or left out; `nil` before the first.
    public internal(set) var cursor: String?

    /// Whether nothing is left to do at present.
    public var isIdle: Bool { isCaughtUp && waiting == 0 }
}

/// Counts what a forwarder does.
final class ForwardMeter: Sendable {
    private let state = Lock(ForwardActivity())
    /// Whether the next attempt reads again what was on its way.
    private let readsAgain: Bool

    init(readsAgain: Bool = true) {
        self.readsAgain = readsAgain
    }

    var activity: ForwardActivity { state.withLock { $0 } }

    /// An attempt begins.
    ///
    /// - Returns: how many records of the one before may be lost.
    func begin() -> Int {
        let missing = state.withLock { state in
            defer { state.waiting = 0 }
            return readsAgain ? 0 : state.waiting
        }
        lose(missing)
        return missing
    }

    func failed() {
        state.withLock {
            $0.failures += 1
            $0.isCaughtUp = false
        }
    }

    /// An entry is to be sent.
    func read() {
        state.withLock {
            $0.waiting += 1
            $0.isCaughtUp = false
        }
    }

    /// The source has no more entries at present.
    func caughtUp() { state.withLock { $0.isCaughtUp = true } }

    func lose(_ count: Int?) {
        state.withLock { state in
            let (sum, isTooLarge) = state.lost.addingReportingOverflow(count ?? 1)
            state.lost = isTooLarge ? .max : sum
        }
    }

    func ended(_ news: Forwarder.News) {
        state.withLock {
            switch news {
            case .stored: $0.stored += 1
            case .leftOut: $0.leftOut += 1
            case .began, .passed: return
            }
            $0.waiting -= 1
        }
    }

    func reached(_ place: ForwardPlace) { state.withLock { $0.cursor = place.cursor } }
}
