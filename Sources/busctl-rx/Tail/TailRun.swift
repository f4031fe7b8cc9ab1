import Bus
import DescriptorBridge
import Glibc
import JournalBridge
import OSSignalBridge
import SystemPackage
import Timers

/// One run of `tail`: source, filter, output, and everything that may end it.
struct TailRun {
    /// How long what is being written may take after a signal has asked the process to end.
    private static let grace = Duration.seconds(2)

    private let plan: TailPlan
    private let output = StandardOutput()
    private let outcome = TailOutcome()
    private let matches = MatchCount()

    init(_ plan: TailPlan) {
        self.plan = plan
    }

    /// Blocks until the run has ended and everything is written; answers how it ended.
    func run() throws -> ExitStatus {
        let signals = try OSSignalSet([SIGINT, SIGTERM])
        // Before there is another thread, so that all of them leave these signals to be read.
        try signals.block()
        signal(SIGPIPE, SIG_IGN)

        let endings = CompoundDisposable()
        endings.add(watchSignals(signals))
        endings.add(watchOutput())
        let entries = show()
        let status = outcome.wait()
        endings.dispose()
        entries.dispose()
        return conclude(status)
    }

    private func show() -> any Disposable {
        let texts = source()
            .compactMap { [output] item -> [UInt8]? in
                switch item {
                case .entry(let bytes): return bytes
                case .gap(let gap):
                    output.flush()
                    StandardError.report(gap.description)
                case .caughtUp: output.flush()
                }
                return nil
            }
        let limited = plan.count.map { texts.take(first: $0).eraseToAnySignal() } ?? texts.eraseToAnySignal()
        let timed =
            plan.timeout.map { limited.timeout($0, failing: TailFailure.timeout).eraseToAnySignal() } ?? limited
        return timed.subscribe(
            next: { [matches, output, outcome] bytes in
                matches.increment()
                output.append(bytes)
                if output.failure != nil { outcome.decide(.matched) }
            },
            failed: { [outcome] failure in
                switch failure {
                case .timeout: outcome.decide(.timedOut)
                case .source(let reason):
                    StandardError.report(reason)
                    outcome.decide(.sourceLost)
                }
            },
            completed: { [matches, outcome] in outcome.decide(matches.isZero ? .nothingMatched : .matched) }
        )
    }

    private func source() -> AnySignal<JournalText, TailFailure> {
        switch plan.input {
        case .journal(let source, let start, let follow):
            Signals.journalText(source, from: start, follow: follow, query: plan.query, format: plan.format)
                .mapError { TailFailure.source($0.description) }
                .eraseToAnySignal()
        case .export(let path, let last):
            Signals.journalExportText(path: path, last: last, query: plan.query, format: plan.format)
                .mapError { TailFailure.source($0.description) }
                .eraseToAnySignal()
        }
    }

    private func watchSignals(_ set: OSSignalSet) -> any Disposable {
        let seen = MatchCount()
        return Signals.osSignals(set).subscribe(
            next: { [outcome] signal in
                // Whoever asks twice does not want to wait for what is being written.
                if !seen.isZero { _exit(128 + signal.number) }
                seen.increment()
                outcome.decide(.interrupted(signal: signal.number))
            },
            failed: { [outcome] error in
                StandardError.report(error.description)
                outcome.decide(.sourceLost)
            }
        )
    }

    /// A reader that is gone ends the run also while nothing is being written.
    private func watchOutput() -> any Disposable {
        Signals.hangup(of: STDOUT_FILENO).subscribe(next: { [outcome, matches] in
            outcome.decide(matches.isZero ? .nothingMatched : .matched)
        })
    }

    /// Writes what has gathered.
    private func conclude(_ status: ExitStatus) -> ExitStatus {
        if case .interrupted = status {
            // The reader may have stopped reading, which must not keep the process from ending.
            let timer = TimerScheduler.shared
            _ = timer.schedule(at: timer.now.advanced(by: Self.grace)) { _exit(status.rawValue) }
        }
        output.flush()
        switch output.failure {
        case nil, .brokenPipe: return status
        case let failure?:
            StandardError.report("cannot write to standard output: \(failure)")
            return .sourceLost
        }
    }
}

/// How many entries were shown.
final class MatchCount: Sendable {
    private let count = Lock(0)

    var isZero: Bool { count.withLock { $0 == 0 } }

    func increment() { count.withLock { $0 += 1 } }
}
