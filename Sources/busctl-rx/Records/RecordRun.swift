import Bus
import Filter
import FilterBridge
import JournalBridge
import Records
import RecordSources
import Timers

/// The records of a run, in order, timed and bounded.
struct RecordRun: Sendable {
    let plan: RecordPlan
    let malformed = MalformedLines()
    private let report: SearchReport?
    private let watch: EventWatch?
    private let before = Counter()
    private let after = Counter()
    private let lost = Counter()

    /// - Parameter report: receives the progress of searching journals.
    init(plan: RecordPlan, report: SearchReport? = nil) {
        self.plan = plan
        self.report = report
        watch = plan.events.map(EventWatch.init)
    }

    /// How many records of a source, or of all together, may wait.
    var limit: Int {
        if case .last(let count) = plan.start { return max(1024, min(count, 1 << 24) + 1) }
        return 1024
    }

    /// - Parameters:
    ///   - count: after how many events it ends.
    ///   - caughtUp: called once for each source, when it waits for new records or has ended.
    ///   - report: called with each gap.
    func records(
        count: Int?,
        caughtUp: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (String) -> Void
    ) -> AnySignal<Record, SourceError> {
        // Reads standard input, and hears buses.
        let input = ThreadScheduler(name: "busctl-input")
        let sources = plan.sources.map { Self.tellingOnce(caughtUp, items(of: $0, on: input)) }
        var records: AnySignal<Record, SourceError>
        if sources.count == 1, let only = sources.first {
            records = only.compactMap { item in
                if case .record(let record) = item { record } else { nil }
            }.eraseToAnySignal()
        } else {
            records = Signals.merge(inOrder: sources, window: plan.window, limit: limit).eraseToAnySignal()
        }
        if let statistics = plan.statistics { records = records.on(next: { statistics.note($0) }).eraseToAnySignal() }
        if let watch { records = watch.applied(to: records) }
        if plan.timing.leavesOut {
            // A gap is reported at once, and not left out.
            let events = records.filter { [before] record in
                if case .gap = record.kind {
                    report("\(record.source): \(record.message ?? "")")
                    return false
                }
                before.increment()
                return true
            }
            let timed = events.timed(plan.timing)
            records = timed.on(next: { [after] _ in after.increment() }).eraseToAnySignal()
        } else {
            records = records.timed(plan.timing)
        }
        guard let count else { return records }
        return records.transduced(by: EventLimit(remaining: count)).eraseToAnySignal()
    }

    /// The sources, to be counted one by one; `nil` where their records are followed or have to come in order. A journal and
    /// another machine that can count for themselves do so.
    func counted(by grouping: RecordGrouping) -> [CountedSource]? {
        let isAlone = plan.sources.count == 1
        guard plan.sources.contains(where: { $0.source is RemoteRecords || isAlone && $0.source is JournalRecords }),
            plan.statistics == nil, watch == nil, !plan.timing.leavesOut, !plan.follow, !plan.isReversed,
            isAlone || !grouping.fields.contains(where: { $0.text == "late" })
        else { return nil }
        let input = ThreadScheduler(name: "busctl-input")
        return plan.sources.map { source in
            CountedSource(
                name: source.name,
                isMachine: source.source is RemoteRecords,
                counts: counts(of: source, by: grouping, on: input)
            )
        }
    }

    private func counts(
        of source: NamedSource,
        by grouping: RecordGrouping,
        on input: ThreadScheduler
    ) -> AnySignal<SourceCounting, SourceError> {
        switch source.source {
        case let machine as RemoteRecords: machine.counts(request(of: source, on: input), by: grouping)
        case let journal as JournalRecords:
            journal.counts(request(of: source, on: input), by: [grouping]).map { part in
                switch part {
                case .counts(let counts): .counts(counts.groups[0])
                case .gap(let gap): .gap(gap.description)
                }
            }.eraseToAnySignal()
        default: items(of: source, on: input).compactMap { SourceCounting($0) }.eraseToAnySignal()
        }
    }

    private func items(of source: NamedSource, on input: ThreadScheduler) -> AnySignal<RecordItem, SourceError> {
        var reading = source.source
        if var child = reading as? ChildRecords {
            child.isOutputAlone = plan.showsLinesAlone
            reading = child
        }
        let items = reading.items(request(of: source, on: input))
        let (isLive, isCommand) = (reading.traits.contains(.live), reading is ChildRecords)
        let isAwaited = plan.reconnects && reading.traits.contains(.awaitable)
        // Any other source ends by itself.
        guard plan.follow || isLive || isCommand || isAwaited, reading.path != "-" else { return items }
        // A source that is awaited may never send old records.
        if isLive || isAwaited {
            return items.ending(after: plan.until?.microseconds, behind: nil)
        }
        return items.ending(after: plan.until?.microseconds) { item in
            if case .caughtUp = item { true } else { false }
        }
    }

    private func request(of source: NamedSource, on input: ThreadScheduler) -> SourceRequest {
        let name = source.name
        var request = SourceRequest(name: name, on: input)
        request.filter = plan.filter?.forOneSource()
        request.tally = plan.tally
        request.start = plan.start
        request.since = plan.since
        request.until = plan.until
        request.follows = plan.follow
        request.isReversed = plan.isReversed
        request.reconnects = plan.reconnects
        request.skew = plan.skews[name] ?? .zero
        request.isAlone = plan.sources.count == 1
        if plan.follow, source.source.path == "-" { request.end = EndTime.signal(of: plan.until?.microseconds) }
        request.progress = source.source is JournalRecords ? report?.add() : nil
        request.build = { BuildDigest.text }
        request.note = { [malformed] note in
            switch note {
            case .message(let text): StandardError.report("\(name): \(text)")
            case .malformed(let line): malformed.count(name, line: line)
            }
        }
        return request
    }

    /// Calls `caughtUp` once: when the source has sent all it had, or when it ends.
    private static func tellingOnce(
        _ caughtUp: @escaping @Sendable () -> Void,
        _ source: AnySignal<RecordItem, SourceError>
    ) -> AnySignal<RecordItem, SourceError> {
        // It runs its action at most once.
        let telling = ActionDisposable(caughtUp)
        return source.on(
            next: { item in if case .caughtUp = item { telling.dispose() } },
            completed: { telling.dispose() }
        ).eraseToAnySignal()
    }

    /// The same with the context of each match.
    ///
    /// - Parameter count: after how many matches it ends.
    func blocks(
        around context: RecordContext,
        count: Int?,
        caughtUp: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (String) -> Void
    ) -> AnySignal<RecordBlock, SourceError> {
        records(count: nil, caughtUp: caughtUp, report: report)
            .context(before: context.before, after: context.after, matches: count) { record in
                context.matches.selects(record, tally: context.tally)
            }
            .eraseToAnySignal()
    }

    /// Counts records that found every queue full: their source cannot pause.
    func lose(_ count: Int) {
        lost.add(count)
        plan.statistics?.lose(count)
    }

    /// How many records the operators of time have left out, or keep for later.
    var heldBack: Int { plan.timing.leavesOut ? before.count - after.count : 0 }

    /// The exit status when all records have been shown, or the output was lost before.
    func verdict(_ shown: ExitStatus, isOver: Bool = true) -> ExitStatus {
        watch?.verdict(shown, isOver: isOver) ?? shown
    }

    /// The messages for a person at the end.
    var summary: [String] {
        var lines = malformed.summary + (watch?.summary ?? [])
        if let stopped = plan.context?.matches.budget.stopped, stopped > 0 {
            lines.append(FilterArgument.stopped(stopped))
        }
        let held = heldBack
        if held > 0 {
            lines.append("\(held == 1 ? "1 record was" : "\(held) records were") held back, and \(after.count) shown")
        }
        // Records that the rate cut off have been counted as held back.
        if !plan.timing.leavesOut, lost.count > 0 {
            let count = lost.count
            lines.append(
                "\(count == 1 ? "1 record is" : "\(count) records are") missing: they came faster than they were written"
            )
        }
        return lines
    }
}

/// Ends after so many events; gaps do not count.
private struct EventLimit: Transducer {
    typealias Input = Record
    typealias InputFailure = SourceError
    typealias Output = Record
    typealias Failure = SourceError
    var remaining: Int

    mutating func next<Downstream: Observer & ~Copyable>(
        _ record: Record,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Record, Downstream.Failure == SourceError {
        if record.kind == .event { remaining -= 1 }
        let demand = downstream.next(record)
        return remaining <= 0 ? .stop : demand
    }

    var demand: Demand { remaining <= 0 ? .stop : .more }
}
