#if NATS
    import Bus
    import DequeModule

    /// One subscription to ``NATSConnection/consume(_:maxConcurrent:failed:_:)``: handles the messages that come, and tells the observer
    /// which were handled.
    ///
    /// A task handles one message after the other while some wait, and ends when none does. A task for each message would have a
    /// thread woken for each.
    final class NATSConsuming: Disposable {
        typealias Handler = @Sendable (NATSDelivery) async throws -> Void

        private struct State: Sendable {
            var waiting: Deque<NATSDelivery> = []
            /// Those that wait or are being handled. While one is, the server may send it again; that copy says nothing new.
            var inFlight: Set<UInt64> = []
            var lastTask = 0
            /// The running tasks. A task has no handle yet while it is being started.
            var tasks: [Int: Task<Void, Never>?] = [:]
            /// How many of them have not asked for a message yet.
            var starting = 0
            /// The observer has no room, and will call back.
            var isPaused = false
            /// No more messages come.
            var isComplete = false
            var isOver = false

            var canHandle: Bool { !isOver && !isPaused && !waiting.isEmpty }
            var isDone: Bool { isComplete && !isOver && waiting.isEmpty && tasks.isEmpty }
        }

        /// A task that has handled so many messages lets others run.
        private static let burst = 64
        private static let acknowledgement = Array("+ACK".utf8)

        private let core: NATSCore
        private let emitter: Emitter<NATSDelivery, NATSError>
        private let consumer: NATSConsumer
        private let maxConcurrent: Int
        private let failed: @Sendable (NATSDelivery, any Error) -> Void
        private let handler: Handler
        private let state = Lock(State())

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

        /// Takes a message. It must not wait: it is called on libnats's delivery thread.
        func hear(_ message: NATSMessage) {
            guard let delivery = NATSDelivery(message) else { return }
            // The server sends no more than may be unacknowledged. Copies of messages that were sent again come on top.
            let isLost = state.withLock { state -> Bool in
                if state.isOver || state.inFlight.contains(delivery.sequence) { return false }
                guard state.waiting.count < 2 * consumer.window else { return true }
                state.inFlight.insert(delivery.sequence)
                state.waiting.append(delivery)
                return false
            }
            if isLost { emitter.sendLoss(of: 1) }
            startTasks()
        }

        func lost(_ count: Int) { emitter.sendLoss(of: count) }

        /// No more messages come. Those that wait are handled.
        func complete() {
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

        private func startTasks() {
            while let number = state.withLock({ state -> Int? in
                guard state.canHandle, state.tasks.count < maxConcurrent, state.starting < state.waiting.count
                else { return nil }
                state.starting += 1
                state.lastTask += 1
                state.tasks.updateValue(nil, forKey: state.lastTask)
                return state.lastTask
            }) {
                start(number)
            }
        }

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
            let (delivery, isDone) = state.withLock { state -> (NATSDelivery?, Bool) in
                if state.canHandle, let delivery = state.waiting.popFirst() { return (delivery, false) }
                state.tasks[number] = nil
                return (nil, state.isDone)
            }
            if isDone { emitter.complete() }
            return delivery
        }

        private func handle(_ delivery: NATSDelivery) async {
            do {
                try await handler(delivery)
            } catch {
                failed(delivery, error)
                // Before the server is asked, so that what it sends then is not taken for a copy.
                ends(delivery)
                let delay = consumer.redeliverAfter.natsMilliseconds * 1_000_000
                answer(delivery.reply, Array("-NAK {\"delay\":\(delay)}".utf8)) {}
                return
            }
            answer(delivery.reply, Self.acknowledgement) { self.ends(delivery) }
            if emitter.send(delivery) == .pause { pause() }
        }

        private func ends(_ delivery: NATSDelivery) {
            _ = state.withLock { $0.inFlight.remove(delivery.sequence) }
        }

        /// Tells the server something, without waiting until the connection's thread has sent it.
        private func answer(_ reply: String, _ text: [UInt8], then: @escaping @Sendable () -> Void) {
            core.publish(NATSMessage(subject: reply, payload: text)) { result in
                then()
                if case .failure(let error) = result { self.fail(error) }
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
            startTasks()
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
            for case let task? in last.tasks.values { task.cancel() }
        }
    }
#endif
