import Bus
import JournalBridge

/// What is done with everything a source says: entries are written and counted, gaps reported, and whatever has
/// gathered is written out before the source waits.
///
/// Used by the thread that writes, which it blocks while nobody reads, apart from `close` and
/// what only looks.
final class TailWriter: Sendable {
    private let output = StandardOutput()
    private let matches: Counter
    private let outcome: TailOutcome
    private let silence: MatchWatch?
    /// Shows what is written, from the first of it on.
    private let pager: Pager?
    /// What was left out of entries so far, and whether all of it was reported.
    private let skipped = Lock<(fields: SkippedFields, isReported: Bool)?>(nil)

    /// - Parameter matches: is raised with what is written.
    init(_ outcome: TailOutcome, _ matches: Counter, _ silence: MatchWatch?, _ pager: Pager?) {
        self.outcome = outcome
        self.matches = matches
        self.silence = silence
        self.pager = pager
    }

    /// What the process says when nothing went wrong.
    var verdict: ExitStatus { Self.verdict(matches) }

    static func verdict(_ matches: Counter) -> ExitStatus { matches.isZero ? .nothingMatched : .matched }

    /// How many bytes of entries were taken and have not been written.
    var unwritten: Int { output.unwritten }

    /// Takes one or more entries, written out.
    ///
    /// - Parameter value: the value by which `--timeout` tells the entry from others, if any.
    func write(_ entries: [UInt8], of value: String? = nil) {
        matches.increment()
        pager?.open()
        silence?.hold()
        output.append(entries)
        silence?.release(afterMatchOf: value)
        endIfBroken()
    }

    /// A command begins to run for an entry. Meanwhile no match can come, as when one is being written.
    func beginAction() {
        matches.increment()
        silence?.hold()
    }

    func endAction(of value: String?) { silence?.release(afterMatchOf: value) }

    /// Reports something that belongs in this place, such as a gap.
    func report(_ message: String) {
        pager?.open()
        flush()
        StandardError.report(message)
    }

    /// Reports that records of a source are missing in this place.
    func report(gapOf source: String, _ message: String) { report("\(source): \(message)") }

    /// Reports the first fields that were left out of an entry, and counts what follows: a broken stream has very many.
    func report(_ fields: SkippedFields) {
        let isFirst = skipped.withLock { skipped in
            guard var all = skipped?.fields else {
                skipped = (fields, true)
                return true
            }
            all.add(fields)
            skipped = (all, false)
            return false
        }
        if isFirst { report(fields.description) }
    }

    /// Everything that was left out of entries, unless that was reported already.
    var skippedSinceReport: SkippedFields? { skipped.withLock { $0?.isReported == false ? $0?.fields : nil } }

    func flush() {
        silence?.hold()
        output.flush()
        silence?.release()
        endIfBroken()
    }

    /// The same. Whether everything that was taken is written.
    func writeAll() -> Bool {
        flush()
        return output.failure == nil
    }

    /// Takes a line that is no entry.
    func write(lastLine line: String) { write(lastLine: Array(line.utf8)) }

    func write(lastLine line: [UInt8]) {
        pager?.open()
        output.append(line)
    }

    /// Writes what has gathered, and nothing after it. Blocks while nobody reads. Answers what to tell a person if that is not possible.
    func close() -> String? {
        output.close()
        return output.reportableFailure
    }

    private func endIfBroken() {
        if output.failure != nil { outcome.decide(verdict) }
    }
}
