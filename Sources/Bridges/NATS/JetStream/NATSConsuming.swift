import Bus
import DequeModule

/// One subscription to ``NATSConnection/consume(_:maxConcurrent:failed:_:)``: handles the messages that come, and tells the observer
/// which were handled.
///
/// A task handles one message after the other while some wait, and ends when none does. A task for each message would have a
/// thread woken for each.
final class NATSConsuming: Disposable {
    typealias Handler = @Sendable (NATSDelivery) async throws -> Void

    /// A message that waits. It is still libnats's, and read by the task that handles it.
    // Unchecked: nobody else has the message, and one thread at a time has this.
    private struct Waiting: @unchecked Sendable {
        let message: OpaquePointer
        let size: Int
        let place: NATSDeliveryPlace
    }

    private struct State: Sendable {
        var waiting: Deque<Waiting> = []
        /// How many bytes the waiting messages have.
        var bytes = 0
        /// Those that wait or are being handled, and those whose acknowledgement is not sent yet. While one is, the server may
        /// send it again; that copy says nothing new.
        var inFlight: Set<UInt64> = []
        var lastTask = 0
        /// The running tasks. A task has no handle yet while it is being started.
        var tasks: [Int: Task<Void, Never>?] = [:]
        /// How many of them have not asked for a message yet.
        var starting = 0
        /// The observer pauses, and will call back.
        var isPaused = false
        /// No more messages come.
        var isComplete = false
        var isOver = false

        var canHandle: Bool { !isOver && !isPaused && !waiting.isEmpty }
        var isDone: Bool { isComplete && !isOver && waiting.isEmpty && tasks.isEmpty }

        /// The number of a task that is to be started, if one is.
        mutating func nextTask(_ maxConcurrent: Int) -> Int? {
            guard canHandle, tasks.count < maxConcurrent, starting < waiting.count else { return nil }
            starting += 1
            lastTask += 1
            tasks.updateValue(nil, forKey: lastTask)
            return lastTask
        }
    }

    /// How many bytes may wait. A message of any size may wait while fewer do.
    private static let maxBytes = 64 << 20
    /// A task that has handled so many messages lets others run.
    private static let burst = 64

    private let core: NATSCore
    private let emitter: Emitter<NATSDelivery, NATSError>
    private let consumer: NATSConsumer
    private let maxConcurrent: Int
    private let failed: @Sendable (NATSDelivery, any Error) -> Void
    private let handler: Handler
    private let state = Lock(State())
    /// The making of the consumer, and then the subscription to its messages.
    private let source = CompoundDisposable()

    var operation: String { consumer.operation }

    init(
        _ core: NATSCore,
        _ emitter: Emitter<NATSDelivery, NATSError>,
        _ consumer: NATSConsumer,
        maxConcurrent: Int,
        failed: @escaping @Sendable (NATSDelivery, any Error) -> Void,
        _ handler: @escaping Handler
    ) {
        self.core = core
        self.emitter = emitter
        self.consumer = consumer
        self.maxConcurrent = max(1, maxConcurrent)
        self.failed = failed
        self.handler = handler
    }

    // MARK: The messages

    /// - Parameter creation: makes the consumer at the server, or finds it there.
    func start(by creation: some Signal<Void, NATSError>) {
        source.add(creation.subscribe(next: { [self] in listen() }, failed: { [self] in fail($0) }))
    }

    private func listen() {
        // Copies of messages that were sent again come on top.
        let interest = NATSInterest(
            subject: consumer.deliverySubject,
            group: consumer.name,
            limit: 2 * consumer.window,
            // `hear` takes each message at once, and bounds the bytes.
            byteLimit: .max
        )
        let listener = NATSListener(
            hear: { [self] in hear($0) },
            miss: { [emitter] in emitter.sendLoss(of: $0) },
            end: { [self] termination in
                switch termination {
                case .completed: complete()
                case .failed(let error): fail(error)
                }
            }
        )
        source.add(core.listen(interest, listener))
    }

    /// Takes a message of libnats. It must not wait: it is called on libnats's delivery thread.
    private func hear(_ message: OpaquePointer) {
        let size = NATSMessage.size(of: message)
        guard let place = NATSDeliveryPlace(of: message) else { return Self.destroy(message, size) }
        let (isTaken, isLost, task) = state.withLock { state -> (Bool, Bool, Int?) in
            if state.isOver { return (false, false, nil) }
            // The server sends no more than may be unacknowledged. Copies of messages that were sent again come on top.
            guard state.waiting.count < 2 * consumer.window, state.bytes < Self.maxBytes else {
                return (false, !state.inFlight.contains(place.sequence), nil)
            }
            guard state.inFlight.insert(place.sequence).inserted else { return (false, false, nil) }
            state.waiting.append(Waiting(message: message, size: size, place: place))
            state.bytes += size
            return (true, false, state.nextTask(maxConcurrent))
        }
        if !isTaken { Self.destroy(message, size) }
        if isLost { emitter.sendLoss(of: 1) }
        if let task { start(task) }
    }

    private static func destroy(_ message: OpaquePointer, _ size: Int) {
        NATSSpentMessages.shared.destroy(message, size: size)
    }

    /// No more messages come. Those that wait are handled.
    private func complete() {
        let isDone = state.withLock { state -> Bool in
            state.isComplete = true
            return state.isDone
        }
        if isDone { emitter.complete() }
    }

    func fail(_ error: NATSError) {
        emitter.fail(error)
        dispose()
    }

    // MARK: The tasks

    private func start(_ number: Int) {
        let task = Task { await self.handleWaiting(number) }
        let isOver = state.withLock { state -> Bool in
            if state.tasks[number] != nil { state.tasks[number] = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    /// The work of a task.
    private func handleWaiting(_ number: Int) async {
        var handled = 0
        state.withLock { $0.starting -= 1 }
        while let delivery = next(for: number) {
            await handle(delivery)
            handled += 1
            if handled % Self.burst == 0 { await Task.yield() }
        }
    }

    /// The next message for a task; nil when the task is to end.
    private func next(for number: Int) -> NATSDelivery? {
        let (next, isDone) = state.withLock { state -> (Waiting?, Bool) in
            if state.canHandle, let next = state.waiting.popFirst() {
                state.bytes -= next.size
                return (next, false)
            }
            state.tasks[number] = nil
            return (nil, state.isDone)
        }
        if isDone { emitter.complete() }
        guard let next else { return nil }
        defer { Self.destroy(next.message, next.size) }
        return NATSDelivery(NATSMessage(reading: next.message), next.place)
    }

    private func handle(_ delivery: NATSDelivery) async {
        do {
            try await handler(delivery)
        } catch {
            failed(delivery, error)
            return refuse(delivery)
        }
        acknowledge(delivery)
        if emitter.send(delivery) == .pause { pause() }
    }

    /// Asks the server to send a message again.
    private func refuse(_ delivery: NATSDelivery) {
        // Before the server is asked, so that what it sends then is not taken for a copy.
        _ = state.withLock { $0.inFlight.remove(delivery.sequence) }
        let delay = consumer.redeliverAfter.natsMilliseconds * 1_000_000
        let text = Array("-NAK {\"delay\":\(delay)}".utf8)
        core.publish(NATSMessage(subject: delivery.reply, payload: text)) { result in
            if case .failure(let error) = result { self.fail(error) }
        }
    }

    // MARK: Acknowledging

    /// Has the connection's thread tell the server that a message is handled, and does not wait for that. The server is notified also when
    /// the subscription ends meanwhile.
    private func acknowledge(_ delivery: NATSDelivery) {
        core.acknowledge(.init(reply: delivery.reply, sequence: delivery.sequence), for: self)
    }

    /// Acknowledgements are sent.
    func areSent(_ acknowledgements: [NATSAcknowledging.Item]) {
        state.withLock { state in
            for item in acknowledgements { state.inFlight.remove(item.sequence) }
        }
    }

    // MARK: Pausing

    private func pause() {
        let isFirst = state.withLock { state -> Bool in
            defer { state.isPaused = true }
            return !state.isPaused
        }
        guard isFirst else { return }
        if emitter.whenReady({ self.resume() }) != .pause { resume() }
    }

    private func resume() {
        state.withLock { $0.isPaused = false }
        while let task = state.withLock({ $0.nextTask(maxConcurrent) }) { start(task) }
    }

    // MARK: The end

    var isDisposed: Bool { state.withLock { $0.isOver } }

    func dispose() {
        let last = state.withLock { state -> State in
            defer {
                state = State()
                state.isOver = true
            }
            return state
        }
        source.dispose()
        for case let task? in last.tasks.values { task.cancel() }
        for waiting in last.waiting { Self.destroy(waiting.message, waiting.size) }
    }
}
