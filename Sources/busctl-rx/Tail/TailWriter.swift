import Bus
import JournalBridge

/// What is done with everything a source says: entries are written and counted, gaps reported, and whatever has
/// gathered is written out before the source waits.
///
/// Used by the thread that writes, which it blocks while nobody reads, apart from `close` and
/// what only looks.
final class TailWriter: Sendable {
    private let output = StandardOutput()
    private let matches = Counter()
    private let outcome: TailOutcome
    private let silence: MatchWatch?

    init(_ outcome: TailOutcome, _ silence: MatchWatch?) {
        self.outcome = outcome
        self.silence = silence
    }

    /// What the process says when nothing went wrong.
    var verdict: ExitStatus { matches.isZero ? .nothingMatched : .matched }

    /// How many bytes of entries were taken and have not been written.
    var unwritten: Int { output.unwritten }

    /// Takes one or more entries, written out.
    func write(_ entries: [UInt8]) {
        matches.increment()
        holdingTime(afterMatch: true) { output.append(entries) }
    }

    func report(_ gap: JournalGap) {
        flush()
        StandardError.report(gap.description)
    }

    func flush() {
        holdingTime(afterMatch: false) { output.flush() }
    }

    /// Writes what has gathered, and nothing after it. Blocks while nobody reads. Answers what to tell a person if that is not possible.
    func close() -> String? {
        output.close()
        return output.reportableFailure
    }

    private func holdingTime(afterMatch: Bool, _ work: () -> Void) {
        silence?.hold()
        work()
        silence?.release(afterMatch: afterMatch)
        if output.failure != nil { outcome.decide(verdict) }
    }
}
