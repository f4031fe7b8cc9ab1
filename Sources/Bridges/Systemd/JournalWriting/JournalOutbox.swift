import Bus
import DequeModule
import Records

/// Hands entries over in order without making a caller wait. An entry that finds journald's queue full waits here
/// until there is free capacity, and so do later ones.
///
/// An entry that waits for longer than the writer's patience is not written; the rest then follows without waiting,
/// until journald takes an entry again.
///
/// A caller hands over entries of other threads only within a ``DeliveryBudget``.
final class JournalOutbox: Sendable {
    /// Called for each finished entry: with nil when journald has it, or there was nothing to write.
    typealias Heard = @Sendable (JournalWriteError?) -> Void

    private enum Item: QueuedEvent, Sendable {
        case entry(JournalMessage?, Heard)
        /// So many are missing here.
        case lost(Int)
        case end(Heard)

        var isValue: Bool { if case .entry = self { true } else { false } }

        var loss: Int? {
            get { if case .lost(let count) = self { count } else { nil } }
            set { self = .lost(newValue ?? 0) }
        }
    }

    private struct State: ResumeSlot, Sendable {
        var queue: Deque<Item> = []
        /// Entries in the queue, and their bytes.
        var entries = 0
        var bytes = 0
        /// Whether a thread hands entries over, or waits for capacity to do so.
        var isBusy = false
        /// How many entries are to be reported as missing before the next one.
        var missing = 0
        /// Calls the sender when nothing waits any more.
        var resume: (@Sendable () -> Void)?
    }

    /// How many entries wait at most.
    static let limit = 1024
    /// How many bytes wait at most; more only if they are one entry.
    static let byteLimit = 16 << 20

    private let port: JournalPort
    private let tellsOfMissing: Bool
    private let onLoss: @Sendable (Int) -> Void
    private let state = Lock(State())
    private let waiting = SerialDisposable()

    /// - Parameters:
    ///   - port: where to.
    ///   - tellsOfMissing: whether unwritten entries are reported in the journal itself.
    ///   - onLoss: called, in order with the entries, with the number that were lost here because the queue was full, or above.
    init(_ port: JournalPort, tellsOfMissing: Bool, onLoss: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.port = port
        self.tellsOfMissing = tellsOfMissing
        self.onLoss = onLoss
    }

    /// The handles to dispose of with the subscription; nothing is handed over then.
    var resources: [any Disposable] { [waiting, ActionDisposable { [state] in state.dropResume() }] }

    // MARK: The sender's side

    /// Whether something waits, or is being handed over.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// Hands an entry over, or lets it wait. False when too many wait: then it is dropped and `heard` not called.
    func submit(_ message: JournalMessage?, _ heard: @escaping Heard) -> Bool {
        let bytes = message?.bytes.count ?? 0
        return put { state in
            guard state.entries < Self.limit, state.entries == 0 || state.bytes + bytes <= Self.byteLimit else {
                return false
            }
            state.entries += 1
            state.bytes += bytes
            state.queue.append(.entry(message, heard))
            return true
        }
    }

    func lost(_ count: Int) {
        _ = put { state in
            state.queue.appendLoss(of: count, .lost(count))
            return true
        }
    }

    /// No entry comes after this.
    func end(_ heard: @escaping Heard) {
        _ = put { state in
            state.queue.append(.end(heard))
            return true
        }
    }

    /// Has `resume` called when nothing waits any more; false when that is so already.
    func whenIdle(_ resume: @escaping @Sendable () -> Void) -> Bool {
        state.whenReady(resume) { state in
            guard state.isBusy else { return .more }
            return waiting.isDisposed ? .stop : .pause
        } != .more
    }

    private func put(_ add: (inout State) -> Bool) -> Bool {
        let (isTaken, isFirst) = state.withLock { state -> (Bool, Bool) in
            guard add(&state) else { return (false, false) }
            defer { state.isBusy = true }
            return (true, !state.isBusy)
        }
        if isFirst { handOver() }
        return isTaken
    }

    // MARK: Handing over; one thread at a time, as `isBusy` says

    /// The first entry is the caller's own, or waits already. Those behind it may come from other threads, without end.
    private func handOver() {
        let budget = DeliveryBudget(.sender)
        var isForeign = false
        while let item = first() {
            // The package's thread goes on, and the outbox stays busy.
            if isForeign, budget.isSpent { return DeliveryThread.run { [self] in handOver() } }
            guard deal(with: item) else { return wait() }
            removeFirst()
            if isForeign { budget.spend() }
            isForeign = true
        }
    }

    /// The next entry. When nothing is left the outbox becomes idle, and the sender is called.
    private func first() -> Item? {
        let (item, rest, resume) = state.withLock { state -> (Item?, Deque<Item>, (@Sendable () -> Void)?) in
            if !waiting.isDisposed, let item = state.queue.first { return (item, [], nil) }
            defer {
                state.queue = []
                (state.entries, state.bytes) = (0, 0)
                state.isBusy = false
            }
            return (nil, state.queue, state.resume.take())
        }
        withExtendedLifetime(rest) {}
        resume?()
        return item
    }

    private func removeFirst() {
        let item = state.withLock { state -> Item? in
            let item = state.queue.popFirst()
            if case .entry(let message, _)? = item {
                state.entries -= 1
                state.bytes -= message?.bytes.count ?? 0
            }
            return item
        }
        withExtendedLifetime(item) {}
    }

    private func wait() {
        let request = SendRequest(in: port.socket.waiters) { [self] in handOver() }
        // It is set before it can be called, so that no later one is replaced by it.
        waiting.swap(request)
        port.socket.waiters.ask(request, of: port.socket, within: port.patience)
        // Disposed of before it was asked, it would be kept.
        if waiting.isDisposed { request.dispose() }
    }

    /// False when it has to wait for capacity.
    private func deal(with item: Item) -> Bool {
        switch item {
        case .lost(let count):
            state.withLock { $0.missing += count }
            onLoss(count)
            return true
        case .entry(nil, let heard):
            heard(nil)
            return true
        case .entry(let message?, let heard): return deal(with: message, heard)
        case .end(let heard): return deal(with: nil, heard)
        }
    }

    private func deal(with message: JournalMessage?, _ heard: Heard) -> Bool {
        do throws(DatagramSocket.Failure) {
            guard try tellOfMissing() else { return false }
            if let message { guard try offer(message) else { return false } }
            heard(nil)
        } catch {
            if message != nil { state.withLock { $0.missing += 1 } }
            heard(JournalWriteError(error, port.socket.name))
        }
        return true
    }

    private func tellOfMissing() throws(DatagramSocket.Failure) -> Bool {
        let missing = state.withLock { $0.missing }
        guard tellsOfMissing, missing > 0 else { return true }
        var message = JournalMessage("\(missing) messages are missing here", priority: .warning)
        message.add("\(missing)", for: "LOST")
        guard try offer(message) else { return false }
        state.withLock { $0.missing -= missing }
        return true
    }

    /// False when the queue is full and waiting makes sense.
    private func offer(_ message: JournalMessage) throws(DatagramSocket.Failure) -> Bool {
        do throws(DatagramSocket.Failure) {
            try port.send(message, patience: .zero)
        } catch .full where port.patience > .zero && !port.socket.isNotToBeAwaited {
            return false
        }
        return true
    }
}
