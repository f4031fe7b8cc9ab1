import Bus
import CNATS
import Synchronization

/// Where the messages of a subscription go. libnats's delivery thread calls it, so each closure must be quick and never block.
final class NATSListener: Sendable {
    /// Gets a message of libnats, and destroys it.
    private let hear: @Sendable (OpaquePointer) -> Void
    private let miss: @Sendable (Int) -> Void
    let end: @Sendable (Termination<NATSError>) -> Void
    private let dropping = Lock(NATSDropping())
    /// Whether a loss is to be reported behind one of the next messages. Only then is libnats asked after each message how many it has
    /// delivered: that takes a lock that its reading thread needs, too. Changed under the lock of `dropping`.
    private let isDropping = Atomic<Bool>(false)

    init(
        hear: @escaping @Sendable (OpaquePointer) -> Void,
        miss: @escaping @Sendable (Int) -> Void,
        end: @escaping @Sendable (Termination<NATSError>) -> Void
    ) {
        self.hear = hear
        self.miss = miss
        self.end = end
    }

    /// A listener for an observer. It takes messages while there is capacity.
    convenience init(_ emitter: Emitter<NATSParcel, NATSError>, capacity: MemoryBudget) {
        self.init(
            hear: { message in
                let size = NATSMessage.size(of: message)
                if let share = capacity.share(size) {
                    emitter.send(NATSParcel(message, size: size, share))
                } else {
                    natsMsg_Destroy(message)
                    emitter.sendLoss(of: 1)
                }
            },
            miss: { emitter.sendLoss(of: $0) },
            end: { termination in
                switch termination {
                case .completed: emitter.complete()
                case .failed(let error): emitter.fail(error)
                }
            }
        )
    }

    /// libnats has begun to drop messages. The observer is told behind the messages that libnats holds now.
    func beginsDropping(by subscription: OpaquePointer?) {
        guard let counts = NATSDropping.Counts(of: subscription) else { return }
        dropping.withLock { dropping in
            dropping.begin(counts)
            isDropping.store(true, ordering: .relaxed)
        }
        // They may have been heard before it was stored.
        reportDue(by: subscription)
    }

    private func reportDue(by subscription: OpaquePointer?) {
        guard let counts = NATSDropping.Counts(of: subscription) else { return }
        let news = dropping.withLock { dropping -> Int in
            defer { isDropping.store(dropping.isWaiting, ordering: .relaxed) }
            return dropping.takeDue(counts)
        }
        if news > 0 { miss(news) }
    }

    /// Tells the observer of all messages that libnats dropped and that were not reported yet.
    func reportDropped(by subscription: OpaquePointer?) {
        let counts = NATSDropping.Counts(of: subscription)
        let news = dropping.withLock { $0.takeAll(counts) }
        if news > 0 { miss(news) }
    }

    private func take(_ message: OpaquePointer, _ subscription: OpaquePointer?) {
        hear(message)
        if isDropping.load(ordering: .relaxed) { reportDue(by: subscription) }
    }
}

// MARK: Callbacks of libnats

extension NATSListener {
    /// The context for libnats. It keeps the listener until ``release`` is called with it.
    func retainedContext() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static let receive: natsMsgHandler = { _, subscription, message, context in
        guard let message else { return }
        guard let context else { return natsMsg_Destroy(message) }
        // Kept until libnats says that no further message comes.
        let listener = Unmanaged<NATSListener>.fromOpaque(context)
        listener._withUnsafeGuaranteedRef { $0.take(message, subscription) }
    }

    /// libnats calls no more.
    static let release: natsOnCompleteCB = { context in
        guard let context else { return }
        Unmanaged<NATSListener>.fromOpaque(context).release()
    }
}
