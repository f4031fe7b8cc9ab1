import Bus
import Records
import TapBridge
import Timers

/// Moves values between the bus and a carrier, and makes a carrier anew when one has failed.
// Unchecked: the mutable state is touched only on the link's thread.
final class LinkCore: @unchecked Sendable {
    let sender: LinkSender
    let news = ReplaySubject<LinkNews, Never>(capacity: 64)
    private let address: BusAddress
    private let options: LinkOptions
    private let thread = ThreadScheduler(name: "bus-link")
    private let queue: OutgoingQueue
    /// Not changed after `init`.
    private var shared: [(pattern: TopicPattern, hears: Bool, topics: any LinkedTopics)] = []
    private var numbers: SenderNumbers
    private var waits: BackoffWaits
    private let makeCarrier: (LinkContext) -> any LinkCarrier
    private var carrier: (any LinkCarrier)?
    /// Tells the present carrier from those before.
    private var attempt: UInt64 = 0
    private var startedAt: Int64 = 0
    private var isConnected = false
    private var lastReason: String?
    private var retry: TimerHandle?
    private var isOver = false
    private var hasStopped = false
    /// Called at the end. While there is one, nothing new is taken.
    private var endings: [@Sendable () -> Void] = []
    /// The time at which the first caller that waits for the end stops waiting.
    private var deadline: TimerInstant?
    /// Closed with the link.
    private let child: NotificationBus
    /// Ends the link when the bus lets go of it: when the bus is closed, and when it is dropped.
    private var ofBus: (any Disposable)?
    /// Set until the link has ended, so that it goes on when its handle is dropped.
    private var itself: LinkCore?

    /// - Parameter makeCarrier: makes a carrier for each attempt to connect; nil for those of the address.
    init(
        _ bus: NotificationBus,
        _ shared: [SharedTopic],
        over address: BusAddress,
        _ options: LinkOptions,
        makeCarrier: ((LinkContext) -> any LinkCarrier)? = nil
    ) {
        self.address = address
        self.options = options
        self.makeCarrier = makeCarrier ?? address.carrier
        sender = LinkSender(program: options.program)
        queue = OutgoingQueue(limit: options.limit)
        numbers = SenderNumbers(limit: options.senders)
        waits = BackoffWaits(options.backoff)
        child = bus.child(named: LinkScope.name)
        let linked = LinkedBus(
            bus: bus,
            child: child,
            next: { [weak self] topic, value in self?.add(value, to: topic) },
            lost: { [weak self] pattern, count in self?.lose(count, of: pattern) }
        )
        for (index, one) in shared.enumerated() {
            // Values would be carried twice.
            if let other = shared[..<index].first(where: { $0.pattern.overlaps(one.pattern) }) {
                fatalError("\(one.pattern) and \(other) have topics in common")
            }
        }
        self.shared = shared.map { ($0.pattern, $0.direction.hears, $0.attach(linked)) }
        let end = LastCall { [weak self] in self?.end() }
        // Nobody posts there. It ends behind the values of all topics.
        ofBus = bus.envelopes(matching: "(link)").subscribe(completed: { withExtendedLifetime(end) {} })
    }

    /// The part of the link that carries a topic; `nil` if it does not.
    func topics(of name: TopicName) -> (hears: Bool, topics: any LinkedTopics)? {
        shared.first { $0.pattern.matches(name) }.map { ($0.hears, $0.topics) }
    }

    func start() {
        thread.schedule {
            // The bus may have been closed before.
            if self.isOver { return }
            self.itself = self
            self.connect()
        }
    }

    func end() { thread.schedule { self.stop() } }

    /// Ends the link when all that waits is sent, or after `patience`.
    func end(within patience: Duration, then done: @escaping @Sendable () -> Void) {
        thread.schedule { [self] in
            if hasStopped { return done() }
            endings.append(done)
            if isOver { return }
            let deadline = TimerScheduler.shared.now.advanced(by: patience)
            self.deadline = min(self.deadline ?? deadline, deadline)
            let timer = TimerScheduler.shared.schedule(at: deadline) { [weak self] in self?.end() }
            endings.append { timer.cancel() }
            endIfSent()
        }
    }

    private func endIfSent() {
        guard !endings.isEmpty, isConnected, queue.count == 0, carrier?.isIdle == true else { return }
        stop()
    }

    // MARK: Connecting

    private func connect() {
        guard !isOver else { return }
        attempt += 1
        startedAt = MonotonicTime.nanoseconds
        let context = LinkContext(
            thread: thread,
            sender: sender,
            heard: shared.filter(\.hears).map(\.pattern),
            options: options,
            report: { [weak self, attempt] in self?.happened($0, attempt) }
        )
        let new = makeCarrier(context)
        carrier = new
        new.start()
    }

    private func happened(_ event: LinkEvent, _ attempt: UInt64) {
        guard !hasStopped else { return }
        // Known only when the carrier has stopped, and perhaps when the next one has begun.
        if case .unsent(let topic, let reason) = event {
            return report(unsent: topic, reason)
        }
        guard attempt == self.attempt, !isOver else { return }
        switch event {
        case .connected:
            isConnected = true
            lastReason = nil
            news.send(.connected(to: address))
            drain()
        case .failed(let reason): reconnect(reason)
        case .ready: drain()
        case .idle: endIfSent()
        case .heard(let topic, let result): hear(result, on: topic)
        case .unsent: break
        }
    }

    private func reconnect(_ reason: String) {
        carrier?.stop(within: .zero) {}
        carrier = nil
        if isConnected || reason != lastReason { news.send(.disconnected(reason: reason)) }
        isConnected = false
        lastReason = reason
        reportLosses()
        let lifetime = Duration.nanoseconds(MonotonicTime.nanoseconds - startedAt)
        guard let wait = waits.failed(after: lifetime) else { return stop() }
        retry = TimerScheduler.shared.schedule(after: .nanoseconds(wait)) { [weak self, thread] in
            thread.schedule { [weak self] in self?.connect() }
        }
    }

    // MARK: Sending

    /// Called on the thread that posts.
    private func add(_ value: OutgoingValue, to topic: TopicName) {
        if queue.add(value, to: topic, options.traceparent?()) { thread.schedule { self.drain() } }
    }

    /// Called on the thread that posts.
    private func lose(_ count: Int, of pattern: TopicPattern) {
        if queue.lose(count, of: pattern) { thread.schedule { self.drain() } }
    }

    /// Sends what waits, as far as the carrier takes it. After some values it lets messages from outside be handled.
    private func drain() {
        guard !isOver, isConnected, let carrier else { return }
        reportLosses()
        for _ in 0..<64 {
            guard isConnected, carrier.isReady, let entry = queue.take() else { return endIfSent() }
            send(entry, carrier)
        }
        thread.schedule { self.drain() }
    }

    private func send(_ entry: OutgoingQueue.Entry, _ carrier: any LinkCarrier) {
        let payload: [UInt8]
        do {
            payload = try entry.value.encode()
        } catch {
            return report(unsent: entry.topic, "it cannot be encoded: \(describe(error))")
        }
        let limit = options.boundedValueSize
        guard payload.count <= limit else {
            return report(unsent: entry.topic, "it has \(payload.count) bytes of JSON, and \(limit) are allowed")
        }
        if LinkMessage.isTooDeep(payload) {
            return report(unsent: entry.topic, LinkMessage.tooDeep)
        }
        let message = LinkMessage(
            sender: sender,
            sequence: entry.sequence,
            time: RecordTime.now.microseconds - (MonotonicTime.nanoseconds - entry.value.uptime) / 1000,
            origin: LinkSender.visible("\(entry.value.origin)"),
            traceparent: entry.traceparent,
            payload: payload
        )
        carrier.send(message, on: entry.topic)
    }

    private func reportLosses() {
        for (loss, count) in queue.takeLosses() {
            let reason =
                switch loss {
                case .full: "more than \(max(1, options.limit)) were waiting"
                case .onBus: "they were posted faster than the link took them from the bus"
                }
            news.send(.unsent(topic: loss.topic, count: count, reason: reason))
        }
    }

    private func report(unsent topic: TopicName, count: Int = 1, _ reason: String) {
        news.send(.unsent(topic: TopicPattern(topic), count: count, reason: reason))
    }

    // MARK: Hearing

    private func hear(_ result: Result<LinkMessage, LinkFlaw>, on name: TopicName) {
        guard let (hears, topics) = topics(of: name), hears else { return }
        let message: LinkMessage
        switch result {
        case .success(let one): message = one
        case .failure(let flaw): return news.send(.refused(topic: name, reason: flaw.description))
        }
        guard message.sender.id != sender.id else { return }
        // A server that was stopped sends on what an earlier connection of the sender had left there, in any order.
        guard let missing = numbers.note(message.sequence, of: message.sender.id, on: name, at: message.time)
        else { return }
        if missing > 0 { news.send(.missing(topic: name, count: missing, sender: message.sender)) }
        let limit = options.boundedValueSize
        guard message.payload.count <= limit else {
            let reason = "\(message.payload.count) bytes of JSON from \(message.sender), and \(limit) are allowed"
            return news.send(.refused(topic: name, reason: reason))
        }
        do {
            try topics.post(message, on: name)
        } catch {
            let reason = "it cannot be decoded, from \(message.sender): \(describe(error))"
            news.send(.refused(topic: name, reason: reason))
        }
        if child.isClosed { stop() }
    }

    // MARK: The end

    private func stop() {
        guard !isOver else { return }
        isOver = true
        // What waits is sent as far as the carrier takes it at once.
        if isConnected, let carrier {
            while carrier.isReady, let entry = queue.take() { send(entry, carrier) }
        }
        reportLosses()
        for loss in queue.close() {
            report(unsent: loss.topic, count: loss.count, "the link has ended")
        }
        retry?.cancel()
        ofBus?.dispose()
        for one in shared { one.topics.end() }
        child.close()
        guard let last = carrier else { return stopped() }
        carrier = nil
        let patience = deadline.map { max(.zero, TimerScheduler.shared.now.duration(to: $0)) } ?? .zero
        last.stop(within: patience) { self.thread.schedule { self.stopped() } }
    }

    private func stopped() {
        hasStopped = true
        news.complete()
        let calls = endings
        endings = []
        for call in calls { call() }
        itself = nil
    }

    /// The mistake in one line, without the names of types where the decoder's own words suffice.
    private func describe(_ error: any Error) -> String {
        let text =
            switch error {
            case DecodingError.dataCorrupted(let context): context.debugDescription
            case DecodingError.keyNotFound(_, let context): context.debugDescription
            case DecodingError.typeMismatch(_, let context): context.debugDescription
            case DecodingError.valueNotFound(_, let context): context.debugDescription
            case EncodingError.invalidValue(_, let context): context.debugDescription
            default: "\(error)"
            }
        return String(text.replacing("\n", with: " ").prefix(300))
    }
}
