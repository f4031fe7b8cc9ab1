import DequeModule
import Timers

/// The records of each source that wait to be put in order: a pure value, driven by the times passed in.
struct RecordQueues {
    private struct Waiting {
        var record: Record
        /// The sort key: its time, or that of the record before it in its source where that is later.
        let key: RecordTime
        let arrival: TimerInstant
        let size: Int
        /// How many records are missing behind it.
        var lostBehind = 0
    }

    private struct Queue {
        var waiting: Deque<Waiting> = []
        /// How many bytes the waiting records have.
        var bytes = 0
        var lastKey = RecordTime(microseconds: .min)
        var isCaughtUp = false
        var hasEnded = false
    }

    private var queues: [Queue]
    private let window: Duration
    private let limit: Int
    /// How many bytes the records of a source may have before it is told to pause.
    private let share: Int
    /// The key of the last record that was sent.
    private var sent = RecordTime(microseconds: .min)
    /// How many records are missing behind those that were sent.
    private var lostBehindSent = 0

    init(count: Int, window: Duration, limit: Int, byteLimit: Int) {
        queues = Array(repeating: Queue(), count: count)
        self.window = window
        self.limit = limit
        share = max(1, byteLimit / max(1, count))
    }

    var count: Int { queues.count }

    /// Whether the record was enqueued.
    mutating func add(_ record: Record, to index: Int, at now: TimerInstant) -> Bool {
        // More than the limits: a source may have sent it before it could know.
        guard queues[index].waiting.count <= limit, queues[index].bytes / 2 < share else { return false }
        let key = max(record.time, queues[index].lastKey)
        queues[index].lastKey = key
        let size = record.content.footprint
        queues[index].bytes += size
        queues[index].waiting.append(Waiting(record: record, key: key, arrival: now, size: size))
        return true
    }

    /// Records of a source are missing behind its last waiting one.
    mutating func lose(_ count: Int, of index: Int) {
        if let last = queues[index].waiting.indices.last {
            queues[index].waiting[last].lostBehind += count
        } else {
            lostBehindSent += count
        }
    }

    /// How many records are missing here, in front of those that wait.
    mutating func takeLoss() -> Int {
        defer { lostBehindSent = 0 }
        return lostBehindSent
    }

    mutating func caughtUp(_ index: Int) { queues[index].isCaughtUp = true }

    mutating func ended(_ index: Int) { queues[index].hasEnded = true }

    mutating func endAll() {
        for index in queues.indices { queues[index].hasEnded = true }
    }

    func isFull(_ index: Int) -> Bool { queues[index].waiting.count >= limit || queues[index].bytes >= share }

    func hasCapacity(_ index: Int) -> Bool {
        queues[index].waiting.count <= limit / 2 && queues[index].bytes <= share / 2
    }

    /// Whether nothing waits and nothing will come.
    var isOver: Bool { queues.allSatisfy { $0.hasEnded && $0.waiting.isEmpty } }

    /// The record that may be sent now, and its source.
    mutating func next(at now: TimerInstant) -> (Record, index: Int)? {
        guard let (index, first) = first, mayGo(first, at: now) else { return nil }
        queues[index].waiting.removeFirst()
        queues[index].bytes -= first.size
        lostBehindSent += first.lostBehind
        var record = first.record
        record.isLate = window > .zero && first.key < sent
        sent = max(sent, first.key)
        return (record, index)
    }

    /// When the next record may be sent even if an idle source sends nothing; `nil` when that depends on sources
    /// alone.
    var deadline: TimerInstant? {
        guard let (_, first) = first, !mustWait else { return nil }
        return first.arrival + window
    }

    private var first: (index: Int, Waiting)? {
        if window <= .zero { return earliest { $0.arrival < $1.arrival } }
        return earliest { $0.key < $1.key }
    }

    private func earliest(_ isBefore: (Waiting, Waiting) -> Bool) -> (index: Int, Waiting)? {
        var best: (index: Int, Waiting)?
        for (index, queue) in queues.enumerated() {
            guard let head = queue.waiting.first else { continue }
            if best.map({ isBefore(head, $0.1) }) ?? true { best = (index, head) }
        }
        return best
    }

    private func mayGo(_ first: Waiting, at now: TimerInstant) -> Bool {
        if window <= .zero { return true }
        var isIdle = false
        for queue in queues where queue.waiting.isEmpty && !queue.hasEnded {
            guard queue.isCaughtUp else { return false }
            isIdle = true
        }
        return !isIdle || first.arrival + window <= now
    }

    /// Whether a source that has not sent all its old records has nothing waiting.
    private var mustWait: Bool { queues.contains { $0.waiting.isEmpty && !$0.hasEnded && !$0.isCaughtUp } }
}
