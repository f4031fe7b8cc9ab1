import Bus
import Forwarding
import Records
import Timers

/// The numbers of a run of `forward` so far: for `--stats`, the terminal and the service manager.
final class ForwardStatistics: Sendable {
    private struct Seen: Sendable {
        var stored = 0
        var time: TimerInstant
    }

    private let read: @Sendable () -> ForwardActivity
    /// `nil` for a sink that counts nothing itself.
    private let sink: OTLPSink?
    private let start = TimerScheduler.shared.now
    /// What the last line and the last text said, for their rates.
    private let lastLine: Lock<Seen>
    private let lastText: Lock<Seen>

    init(_ forwarder: Forwarder, to sink: any ForwardSink) {
        read = { forwarder.activity }
        self.sink = sink as? OTLPSink
        lastLine = Lock(Seen(time: start))
        lastText = Lock(Seen(time: start))
    }

    /// Entries that are stored. An OpenTelemetry receiver gets several at once.
    private func stored(_ activity: ForwardActivity) -> Int { sink?.counts.stored ?? activity.stored }

    /// How far the last stored entry is behind the present, while anything is left to store.
    private func delay(_ activity: ForwardActivity) -> Duration? {
        if activity.isIdle { return .zero }
        let time = activity.cursor.flatMap { RunStatistics.time(of: $0) }
        return time.map {
            .microseconds(max(0, RecordTime.now.microseconds.subtractingReportingOverflow($0).partialValue))
        }
    }

    /// How many entries were stored in a second since the last look.
    private func rate(_ stored: Int, since last: Lock<Seen>) -> String {
        let now = TimerScheduler.shared.now
        let before = last.withLock { last in
            defer { last = Seen(stored: stored, time: now) }
            return last
        }
        return RunStatistics.rate(stored - before.stored, in: now - before.time)
    }

    /// Everything in a line, for a person and for a program that reads logfmt.
    ///
    /// - Parameter total: whether the rate is that of the whole run, and not of the time since the line before.
    func line(total: Bool = false) -> String {
        let (activity, counts) = (read(), sink?.counts)
        let stored = stored(activity)
        var fields: [(String, String)] = [
            ("elapsed", RunStatistics.seconds(TimerScheduler.shared.now - start)),
            ("stored", "\(stored)"),
            ("rate", rate(stored, since: total ? Lock(Seen(time: start)) : lastLine)),
            ("waiting", "\(activity.waiting)"),
            ("left_out", "\(counts?.refused ?? activity.leftOut)"),
            ("lost", "\(activity.lost)"),
            ("failures", "\(activity.failures)"),
        ]
        if let counts {
            fields += [
                ("rejected", "\(counts.rejected)"), ("requests", "\(counts.requests)"),
                ("retries", "\(counts.retries)"), ("bytes", "\(counts.bytes)"),
            ]
        }
        let last = activity.cursor.flatMap { RunStatistics.time(of: $0) }
        fields += [
            ("last", last.map { RecordTime.text($0) } ?? "none"),
            ("delay", delay(activity).map(RunStatistics.seconds) ?? "none"),
        ]
        return fields.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// The most important of it for a person, who sees it again and again.
    func text() -> String {
        let (activity, counts) = (read(), sink?.counts)
        let stored = stored(activity)
        var parts = ["\(stored) stored", rate(stored, since: lastText)]
        if activity.isIdle {
            parts.append("nothing waits")
        } else if let delay = delay(activity) {
            parts.append("\(RunStatistics.seconds(delay)) behind")
        }
        let troubles = [
            ("left out", counts?.refused ?? activity.leftOut), ("rejected", counts?.rejected ?? 0),
            ("lost", activity.lost), ("failed attempts", activity.failures), ("retries", counts?.retries ?? 0),
        ]
        return (parts + troubles.filter { $1 > 0 }.map { "\($1) \($0)" }).joined(separator: ", ")
    }

    /// What a run should not end without saying.
    var summary: String? {
        guard let counts = sink?.counts, counts.retries + counts.refused + counts.rejected > 0 else { return nil }
        return
            "requests=\(counts.requests) retries=\(counts.retries) refused=\(counts.refused) rejected=\(counts.rejected)"
    }

    /// Sends as long as nothing waits, entries are stored, or attempts fail or are put off: what is neither, has stalled.
    var movement: some Signal<Void, Never> {
        let last = Lock<(activity: ForwardActivity, counts: OTLPSink.Counts?)?>(nil)
        return Signals.interval(every: .seconds(1)).compactMap { [self] _ -> Void? in
            let (activity, counts) = (read(), sink?.counts)
            let hasChanged = last.withLock { last in
                defer { last = (activity, counts) }
                return last.map { $0.activity != activity || $0.counts != counts } ?? true
            }
            return activity.isIdle || hasChanged || (counts?.waiting ?? 0) > 0 ? () : nil
        }
    }
}
