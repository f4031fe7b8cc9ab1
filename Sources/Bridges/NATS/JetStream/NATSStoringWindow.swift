import Bus
import DequeModule
import Timers

/// The messages of one signal that are on their way to a stream, and those that have no slot yet. It knows nothing of the
/// observer, so that the subscription can hold it.
final class NATSStoringWindow: Disposable {
    struct Message: Sendable {
        let tag: UInt64
        let message: NATSMessage

        init(tag: UInt64, _ message: NATSMessage) {
            self.tag = tag
            self.message = message
        }
    }

    struct State: ResumeSlot, Sendable {
        /// How many are on their way.
        var count = 0
        /// They wait for a slot of the connection. The source pauses then.
        var waiting: Deque<Message> = []
        /// One has its slot, waits no more, and is not counted yet.
        var isBeginning = false
        /// The request for a slot.
        var ticket: UInt64?
        /// The last message that was acknowledged, by its number, and when an acknowledgement last came.
        var answered: (last: UInt64, time: Int64) = (0, .min)
        /// Calls the source when there is capacity.
        var resume: (@Sendable () -> Void)?
        /// Whether the source has completed.
        var isComplete = false
        var isOver = false
        /// Whether there is a timer, or will be one in a moment.
        var isTimed = false
        var timer: TimerHandle?
        /// Those of the links over which messages were sent: one, unless libnats has given up a connection.
        var requests: [NATSRequests] = []

        var isDone: Bool { isComplete && count == 0 && waiting.isEmpty && !isBeginning }
    }

    let limit: Int
    /// How long to wait for each acknowledgement, in nanoseconds.
    private let patience: Int64
    let slots: NATSSlots
    let state = Lock(State())

    init(limit: Int, timeout: Duration, slots: NATSSlots) {
        self.limit = limit
        patience = timeout.natsMilliseconds * 1_000_000
        self.slots = slots
    }

    var isDisposed: Bool { state.withLock { $0.isOver } }

    // MARK: The messages

    /// Whether no other message waits for a slot.
    var mayBegin: Bool { state.withLock { $0.waiting.isEmpty } }

    /// A message waits for a slot. True when it is the first one.
    func wait(_ message: Message) -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.waiting.append(message)
            return state.waiting.count == 1
        }
    }

    /// A message is sent, and is among the requests already. From now on ``dispose()`` takes it out.
    ///
    /// - Returns: whether there is capacity for another; nil when it is not to be sent, because all is over.
    func begin(_ requests: NATSRequests) -> Bool? {
        let (hasCapacity, isTimed, former) = state.withLock { state -> (Bool?, Bool, [NATSRequests]) in
            if state.isOver { return (nil, true, []) }
            var former: [NATSRequests] = []
            if state.requests.last !== requests {
                if state.count == 0 { swap(&state.requests, &former) }
                state.requests.append(requests)
            }
            state.count += 1
            state.isBeginning = false
            defer { state.isTimed = true }
            return (state.count < limit && state.waiting.isEmpty, state.isTimed, former)
        }
        withExtendedLifetime(former) {}
        // One timer for all messages.
        if !isTimed { startTimer(patience) }
        return hasCapacity
    }

    /// A message is acknowledged.
    ///
    /// - Returns: whether it was the last of all, and what is to be called now that there is capacity.
    func end(_ number: UInt64) -> (isDone: Bool, resume: (@Sendable () -> Void)?) {
        let now = MonotonicTime.nanoseconds
        return state.withLock { state in
            state.count -= 1
            state.answered = (max(state.answered.last, number), now)
            if state.isDone { return (true, nil) }
            // The source is called once an eighth of the capacity is free: seldom enough not to be woken for every message, and early
            // enough to send again before the server has nothing to do.
            guard state.count <= limit - max(1, limit / 8), state.waiting.isEmpty else { return (false, nil) }
            return (false, state.resume.take())
        }
    }

    var hasCapacity: Bool { state.withLock { $0.count < limit && $0.waiting.isEmpty } }

    /// Keeps what is to be called when there is capacity; false when there is some already.
    func wait(_ resume: @escaping @Sendable () -> Void) -> Bool {
        state.whenReady(resume) { state in
            !state.isOver && (state.count >= limit || !state.waiting.isEmpty) ? .pause : .more
        } == .pause
    }

    // MARK: Times

    /// When a message that is sent now is to be acknowledged, in nanoseconds of the monotonic clock.
    var deadline: Int64 {
        let (time, isFar) = MonotonicTime.nanoseconds.addingReportingOverflow(patience)
        return isFar ? .max : time
    }

    private func startTimer(_ nanoseconds: Int64) {
        let timer = TimerScheduler.shared.schedule(after: .nanoseconds(nanoseconds)) { [self] in checkTime() }
        let isOver = state.withLock { state -> Bool in
            state.timer = timer
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    private func checkTime() {
        let now = MonotonicTime.nanoseconds
        var next: Int64?
        for requests in state.withLock({ $0.requests }) {
            var (overdue, following) = requests.overdue(of: self, at: now)
            while let number = overdue {
                // The server is behind, but has not passed it over.
                let answered = state.withLock { $0.answered }
                if number > answered.last, answered.time > now - patience {
                    following = answered.time + patience
                    break
                }
                if requests.fail(number, .timedOut) { return }
                // It was answered just now.
                (overdue, following) = requests.overdue(of: self, at: now)
            }
            next = [next, following].compactMap { $0 }.min()
        }
        // A message may have been sent meanwhile.
        let goesOn = state.withLock { state -> Bool in
            state.isTimed = state.count > 0
            return state.isTimed
        }
        if goesOn { startTimer(next.map { $0 - now } ?? patience) }
    }

    /// Gives the slots back. Answers that come later find nobody.
    func dispose() {
        let last = state.withLock { state -> State in
            defer {
                state = State()
                state.isOver = true
            }
            return state
        }
        guard !last.isOver else { return }
        last.timer?.cancel()
        // If it cannot be withdrawn, there is a slot, which the one who was called for it gives back.
        if let ticket = last.ticket { _ = slots.withdraw(ticket) }
        for requests in last.requests {
            for _ in 0..<requests.forgetAll(of: self) { slots.release() }
        }
    }
}
