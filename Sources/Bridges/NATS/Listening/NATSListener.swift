import Bus
import CNATS
import Synchronization

/// Where the messages of a subscription go. libnats's delivery thread calls it, so each closure must be quick and never block.
final class NATSListener: Sendable {
    /// Gets a message of libnats, and destroys it.
    private let hear: @Sendable (OpaquePointer) -> Void
    private let miss: @Sendable (Int) -> Void
    let end: @Sendable (Termination<NATSError>) -> Void
    /// How many messages libnats has dropped, as far as the observer knows.
    private let dropped = Lock<Int64>(0)
    /// For how many of the next messages libnats is asked whether it has dropped some. To ask takes a lock that libnats's reading
    /// thread needs, too, so it is not done for each message.
    private let questions = Atomic<Int>(0)

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

    /// Tells the observer how many messages libnats dropped since it was last asked.
    func reportDropped(by subscription: OpaquePointer?) {
        var count: Int64 = 0
        guard natsSubscription_GetDropped(subscription, &count) == NATS_OK else { return }
        let news = dropped.withLock { known -> Int64 in
            defer { known = max(known, count) }
            return count - known
        }
        if news > 0 { miss(Int(news)) }
    }

    /// libnats has begun to drop messages. It goes on until it takes one again, and says nothing more meanwhile. So it is over when
    /// the messages have been heard that libnats holds now.
    ///
    /// - Parameter limit: how many those are at most.
    func beginsDropping(by subscription: OpaquePointer?, limit: Int) {
        questions.store(min(max(1, limit), Int(CInt.max)) + 1, ordering: .relaxed)
        reportDropped(by: subscription)
    }

    private func take(_ message: OpaquePointer, _ subscription: OpaquePointer?) {
        if questions.load(ordering: .relaxed) > 0 {
            questions.subtract(1, ordering: .relaxed)
            reportDropped(by: subscription)
        }
        hear(message)
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
