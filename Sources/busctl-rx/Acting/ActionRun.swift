import Bus
import ProcessBridge
import RecordSources
import Records
import Timers

/// Runs a command for each record, so many at once; further records wait, and then their sources.
final class ActionRun: Sendable {
    private let plan: ActionPlan
    private let writer: TailWriter
    private let scheduler: ThreadScheduler
    private let timing: RecordTiming
    private let text: Lock<RecordWriter>
    private let started = Counter()
    private let failed = Counter()
    /// When the last failure was reported.
    private let said = Lock<TimerInstant?>(nil)

    /// - Parameter scheduler: where commands are started and messages written, which may block.
    init(_ plan: ActionPlan, _ timing: RecordTiming, _ writer: TailWriter, on scheduler: ThreadScheduler) {
        self.plan = plan
        self.timing = timing
        self.writer = writer
        self.scheduler = scheduler
        text = Lock(RecordWriter(plan.style))
    }

    /// Completes when the last command has ended. To be subscribed to on the scheduler's thread.
    func applied(to records: some Signal<Record, SourceError>) -> AnySignal<Void, SourceError> {
        records.filter { [self] record in isEvent(record) }
            .flatMap(.merge(maxConcurrent: plan.jobs), limit: 1) { [self] record in run(for: record) }
            .eraseToAnySignal()
    }

    /// The messages for a person at the end.
    var summary: [String] {
        guard !failed.isZero else { return [] }
        return ["\(failed.count) of \(started.count) \(started.count == 1 ? "command" : "commands") failed"]
    }

    /// The exit status of a run whose last command has ended.
    func verdict(_ shown: ExitStatus) -> ExitStatus { failed.isZero ? shown : .commandFailed }

    private func isEvent(_ record: Record) -> Bool {
        if case .gap = record.kind {
            writer.report(gapOf: record.source, record.message ?? "records are missing here")
            return false
        }
        return true
    }

    private func run(for record: Record) -> AnySignal<Void, SourceError> {
        let child = plan.child(for: record, reading: text.withLock { $0.text(of: record) })
        let name = "record \(record.sequence) of '\(record.source)'"
        return Signals.run(child, on: scheduler).on(
            next: { [self] event in
                if case .ended(let status) = event, !status.isSuccess {
                    fail("\(plan.command.program) \(status), run for \(name)")
                }
            },
            failed: { [self] error in fail("\(error), for \(name)") },
            terminated: { [self] in writer.endAction(of: timing.value(of: record)) },
            subscribed: { [self] in begin() }
        )
        .catch { _ in Signals.empty(ChildEvent.self, failure: SourceError.self) }
        .ignoreValues(as: Void.self)
        .eraseToAnySignal()
    }

    private func begin() {
        started.increment()
        writer.beginAction()
    }

    /// Says it, at most once a second; all are counted.
    private func fail(_ message: String) {
        failed.increment()
        let now = TimerScheduler.shared.now
        let isWanted = said.withLock { said -> Bool in
            if let said, now - said < .seconds(1) { return false }
            said = now
            return true
        }
        if isWanted { writer.report(message) }
    }
}
