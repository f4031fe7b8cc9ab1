import Bus
import Filter
import Glibc
import OSSignalBridge
import Records
import Synchronization
import Timers

/// The numbers of a run so far, for `--stats`. Several threads count, and one reads.
final class RunStatistics: Sendable {
    /// The filter's results for everything that was read.
    private let tally: FilterTally
    private let late = Counter()
    private let lost = Counter()
    /// When the last record happened, in microseconds since 1970; 0 before there was one.
    private let lastTime = Atomic<Int64>(0)
    /// How long after that it came, in microseconds. Negative where another clock gave it its time.
    private let lag = Atomic<Int64>(0)
    private let start = TimerScheduler.shared.now
    private let before: Lock<(read: Int, time: TimerInstant)>

    /// Whether records are heard as they come, so that there is a lag.
    private let isLive: Bool

    init(_ tally: FilterTally, isLive: Bool) {
        self.tally = tally
        self.isLive = isLive
        before = Lock((0, start))
    }

    /// A record is about to be shown.
    func note(_ record: Record) {
        if case .gap(let count) = record.kind { return lose(count) }
        if record.isLate { late.increment() }
        note(time: record.time.microseconds)
    }

    /// Everything up to the entry with this cursor has been read.
    func note(place cursor: String) {
        if let time = Self.time(of: cursor) { note(time: time) }
    }

    /// When the journal received the entry with a cursor, in microseconds since 1970.
    static func time(of cursor: String) -> Int64? {
        let time = cursor.split(separator: ";").first { $0.hasPrefix("t=") }
        return time.flatMap { Int64($0.dropFirst(2), radix: 16) }
    }

    /// - Parameter count: how many records are missing; an unknown number, `nil`, counts as one.
    func lose(_ count: Int?) { lost.add(count ?? 1) }

    private func note(time: Int64) {
        lag.store(RecordTime.now.microseconds.subtractingReportingOverflow(time).partialValue, ordering: .relaxed)
        lastTime.store(time, ordering: .relaxed)
    }

    /// Everything in a line, for a person and for a program that reads logfmt.
    ///
    /// - Parameters:
    ///   - heldBack: how many records the operators of time have left out or still keep.
    ///   - total: whether the rate is that of the whole run, and not of the time since the line before.
    func line(heldBack: Int, total: Bool = false) -> String {
        let now = TimerScheduler.shared.now
        let read = tally.matched + tally.rejected + tally.failed
        let since = before.withLock { before in
            defer { before = (read, now) }
            return total ? (read: 0, time: start) : before
        }
        let last = lastTime.load(ordering: .relaxed)
        let fields: [(String, String)] = [
            ("elapsed", Self.seconds(now - start)),
            ("read", "\(read)"),
            ("matched", "\(tally.matched)"),
            ("undecided", "\(tally.failed)"),
            ("held_back", "\(heldBack)"),
            ("late", "\(late.count)"),
            ("lost", "\(lost.count)"),
            ("rate", Self.rate(read - since.read, in: now - since.time)),
            ("last", last == 0 ? "none" : RecordTime.text(last)),
            ("lag", last == 0 || !isLive ? "none" : Self.seconds(.microseconds(lag.load(ordering: .relaxed)))),
        ]
        return fields.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        let fraction = String(milliseconds.magnitude % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        return "\(milliseconds < 0 ? "-" : "")\(milliseconds.magnitude / 1000).\(zeros)\(fraction)s"
    }

    /// Records in a second.
    static func rate(_ count: Int, in duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? "\(Int((Double(count) / seconds).rounded()))/s" : "0/s"
    }

    /// Reports a line whenever SIGUSR1 comes, which is blocked. On a thread of its own, because the question is often why nothing moves.
    static func telling(_ line: @escaping @Sendable () -> String) -> any Disposable {
        let telling = ThreadScheduler(name: "busctl-stats")
        do throws(OSSignalError) {
            return Signals.osSignals(try OSSignalSet([SIGUSR1])).deliver(on: telling, limit: 1, overflow: .dropNewest)
                .subscribe(
                    next: { _ in StandardError.report(line()) },
                    failed: { StandardError.report($0.description) }
                )
        } catch {
            StandardError.report(error.description)
            return FinishedDisposable()
        }
    }
}
