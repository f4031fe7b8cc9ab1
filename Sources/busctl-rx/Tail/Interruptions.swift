import Bus
import DescriptorBridge
import Glibc
import OSSignalBridge
import Timers
import SystemPackage

/// The external events that end a run: SIGINT, SIGTERM and SIGHUP, and a reader of the output that goes away.
struct Interruptions {
    /// How long writing may take after a signal has asked the process to end.
    private static let grace = Duration.seconds(2)
    private static let numbers = [SIGINT, SIGTERM]
    /// The same signal within this time is the first one again: timeout(1) sends it to the process and to its group.
    private static let repetition = Duration.milliseconds(200)

    private let signals: OSSignalSet

    /// Blocks the signals; to be made before there is another thread, so that all of them leave these signals to be read.
    ///
    /// - Parameter others: further signals that the run listens to.
    init(blockingAlso others: [CInt] = []) throws(ExitStatus) {
        do throws(OSSignalError) {
            // nohup(1) starts a command that ignores it, and it ends no run that listens to it.
            let hangups = others.contains(SIGHUP) || Self.ignoresHangups ? [] : [SIGHUP]
            signals = try OSSignalSet(Self.numbers + hangups)
            try OSSignalSet(Self.numbers + hangups + others).blockUnchecked()
        } catch {
            StandardError.report(error.description)
            throw .sourceLost
        }
        signal(SIGPIPE, SIG_IGN)
    }

    private static var ignoresHangups: Bool {
        var present = sigaction()
        guard sigaction(SIGHUP, nil, &present) == 0 else { return false }
        // Handlers are compared by their addresses.
        return unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// From now to the end of the process, lets a signal decide the outcome, and end the process when writing takes too long or another signal comes. The
    /// caller keeps it to the very end, because the last output and the last messages may take long, too.
    ///
    /// - Parameters:
    ///   - pager: told to end, too, unless only the pager handles the signal.
    ///   - unwritten: how many bytes have not been written.
    func watchSignals(
        _ outcome: TailOutcome,
        pager: Pager? = nil,
        unwritten: @escaping @Sendable () -> Int
    ) {
        let seen = Lock<(number: CInt, time: ContinuousClock.Instant)?>(nil)
        // Never disposed of: a second signal that still waits would then kill the process.
        _ = Signals.osSignals(signals).subscribe(
            next: { signal in
                if pager?.takes(signal.number) == true { return }
                let status = ExitStatus.interrupted(signal: signal.number)
                let now = ContinuousClock.now
                let first = seen.withLock { seen in
                    defer { seen = seen ?? (signal.number, now) }
                    return seen
                }
                if let first {
                    let isRepeated = first.number == signal.number && now - first.time < Self.repetition
                    // A second signal asks not to wait for the writing.
                    if !isRepeated { LastWord.end(status, unwritten: unwritten()) }
                    return
                }
                outcome.decide(status)
                pager?.interrupt(status)
                // The reader may have stopped reading, which must not keep the process from ending.
                TimerScheduler.shared.schedule(after: Self.grace) { LastWord.end(status, unwritten: unwritten()) }
            },
            failed: { error in outcome.decide(.sourceLost, because: error.description) }
        )
    }

    /// Ends the run when the reader of the output is gone, also while nothing is being written.
    ///
    /// - Parameter verdict: how the run ends then.
    func watchOutput(_ outcome: TailOutcome, verdict: @escaping @Sendable () -> ExitStatus) -> any Disposable {
        if StandardDescriptors.isOutputClosed { outcome.decide(verdict()) }
        return Signals.hangup(of: .standardOutput).subscribe(
            next: { outcome.decide(verdict()) },
            // Writing finds out, too, as soon as there is something to write.
            failed: { if $0.errno != .badFileDescriptor { StandardError.report($0.description) } }
        )
    }
}
