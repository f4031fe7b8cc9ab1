import Bus
import Records
import Synchronization
import Timers

/// The watch of one client: events come from the bus over a bounded queue, and go out as far as the client takes them.
///
/// It subscribes when it starts and leaves nothing behind when it ends.
// Unchecked: touched only on the tap's thread.
final class TapWatch: @unchecked Sendable {
    /// The smallest buffer, in bytes.
    static let minBuffer = 16 << 10

    private let connection: TapConnection
    let pattern: TopicPattern
    private let filter: TapFilter?
    private let buffer: Int
    /// Whether the client is notified when the watch has begun.
    private let announces: Bool
    private let framing: TapFraming
    private let duration: Duration
    private let events: EventText
    // Used by one thread, and not lent to code that is called meanwhile.
    @exclusivity(unchecked) private var left: Int
    /// How many events the client was sent, and how many it missed.
    @exclusivity(unchecked) private(set) var sent = 0
    @exclusivity(unchecked) private(set) var lost = 0
    private var subscription: (any Disposable)?
    private var deadline: TimerHandle?
    @exclusivity(unchecked) private var positionTimer: TimerHandle?
    @exclusivity(unchecked) private var positions = SeenPositions()
    @exclusivity(unchecked) private var losses = PendingLosses()
    /// More waits than allowed. Events are missed until half of it has been read, so that one gap stands for many.
    @exclusivity(unchecked) private var isFull = false
    @exclusivity(unchecked) private var isOver = false

    init(
        _ connection: TapConnection,
        pattern: TopicPattern,
        filter: TapFilter?,
        count: Int,
        duration: Duration,
        buffer: Int,
        announces: Bool = false,
        framing: TapFraming = .json
    ) {
        self.connection = connection
        self.pattern = pattern
        self.filter = filter
        self.buffer = buffer
        self.announces = announces
        self.framing = framing
        self.duration = duration
        let options = connection.server.options
        events = EventText(options.bounds)
        left = count
    }

    /// A larger value would fill too much of what may wait, or be more than a client takes in one frame.
    private var valueLimit: Int { min(buffer / 2, CompactFrame.sizeLimit - 65_536) }

    func start() {
        let server = connection.server
        deadline = server.timers.schedule(after: duration) { [weak self] in self?.end("time") }
        // A poster pays only for putting the value into the queue; everything else happens on the tap's thread.
        subscription = server.bus.envelopes(matching: pattern, limit: server.options.queue, overflow: .dropNewest)
            .deliver(on: server.scheduler, limit: server.options.queue, overflow: .dropNewest)
            .subscribe(
                next: { [self] in next($0) },
                completed: { [self] in end("closed") },
                lost: { [self] in miss($0, .queue) }
            )
        // Whoever sees it counted may post: it hears that.
        server.counts.watches.add(1, ordering: .releasing)
        // Events come through the scheduler, whose thread this is: the first one is sent after this.
        if announces || framing == .compact {
            connection.send { output in
                VarlinkReply.append(to: &output, continues: true) { members in
                    members.add("kind", "begin")
                    if framing == .compact { members.add("framing", framing.rawValue) }
                }
            }
        }
    }

    /// Sends a message of varlink, in the framing of this watch.
    private func send(_ write: (inout OutputBuffer) -> Void) {
        connection.send { framing.append(to: &$0, write) }
    }

    // MARK: Events

    private func next(_ event: Envelope<any Sendable>) {
        guard !isOver else { return }
        connection.server.meter.enter(connection.budget)
        if connection.budget.isExhausted { return miss(1, .processor) }
        if isFull { return miss(1, .buffer) }
        events.begin(event)
        if let filter {
            if filter.usesValue { events.encode(event.value) }
            switch events.withRecord(event, filter.look(at:)) {
            case .passes: break
            case .fails: return pass(event)
            case .tooCostly:
                connection.server.log("ended a watch of \(connection.peer): its filter costs too much")
                return fail(.filterTooCostly)
            }
        }
        events.encode(event.value)
        guard connection.waiting + events.size <= buffer || connection.waiting == 0 else {
            isFull = true
            return miss(1, .buffer)
        }
        sendLosses()
        connection.send { events.append(event, to: &$0, in: framing, valueLimit: valueLimit) }
        positions.forget(event.topic)
        left -= 1
        sent += 1
        if left == 0 { end("count") }
    }

    private func miss(_ count: Int, _ reason: PendingLosses.Reason) {
        guard !isOver else { return }
        connection.server.counts.lost.add(count, ordering: .relaxed)
        losses.add(count, reason)
        lost += count
        connection.flushSoon()
    }

    /// Notes an event that the client does not want.
    private func pass(_ event: Envelope<any Sendable>) {
        positions.note(event.topic, event.sequence)
        guard positionTimer == nil else { return }
        positionTimer = connection.server.timers.schedule(after: .seconds(1)) { [weak self] in self?.sendPositions() }
    }

    private func sendPositions() {
        positionTimer = nil
        guard !isOver, !isFull else { return }
        let seen = positions.take()
        guard !seen.isEmpty else { return }
        sendLosses()
        send { output in
            VarlinkReply.append(to: &output, continues: true) { members in
                members.add("kind", "position")
                _ = members.add("positions", seen, limit: .max) { position, members in
                    members.add("topic", position.topic.text)
                    members.add("sequence", position.sequence)
                }
            }
        }
    }

    /// Reports the losses at this point.
    private func sendLosses() {
        losses.takeAll { count, reason in
            send { output in
                VarlinkReply.append(to: &output, continues: true) { members in
                    members.add("kind", "gap")
                    members.add("lost", count)
                    members.add("reason", reason.rawValue)
                }
            }
        }
    }

    // MARK: The connection

    /// Events that came together have been handled.
    func batchEnds() {
        guard !isOver else { return }
        events.forgetClock()
        if !isFull { sendLosses() }
    }

    /// Some of the waiting data was sent.
    func outputDrained() {
        guard !isOver, isFull, connection.waiting <= buffer / 2 else { return }
        isFull = false
        sendLosses()
    }

    // MARK: The end

    /// Ends the watch with a last reply.
    func end(_ reason: String) {
        finish { Self.appendEnd(reason, to: &$0) }
    }

    /// Adds the last reply of a watch.
    static func appendEnd(_ reason: String, to output: inout OutputBuffer) {
        VarlinkReply.append(to: &output) { members in
            members.add("kind", "end")
            members.add("reason", reason)
        }
    }

    private func fail(_ error: VarlinkError) {
        finish { VarlinkReply.append(error, to: &$0) }
    }

    private func finish(_ reply: (inout OutputBuffer) -> Void) {
        guard !isOver else { return }
        abandon()
        sendLosses()
        send(reply)
        connection.watchEnded()
    }

    /// Ends the watch silently.
    func abandon() {
        if !isOver { connection.server.counts.watches.subtract(1, ordering: .relaxed) }
        isOver = true
        deadline?.cancel()
        positionTimer?.cancel()
        subscription?.dispose()
        subscription = nil
    }
}
