import Bus
import JournalBridge

/// Handles all events of a source: entries are written and counted, gaps reported, and the gathered output is written
/// before the source waits.
///
/// Used by the writing thread, which it blocks while nobody reads, except for `close` and methods that only read.
final class TailWriter: Sendable {
    private let output: StandardOutput
    private let matches: Counter
    private let outcome: TailOutcome
    private let silence: MatchWatch?
    /// The exit status when the output was lost.
    private let verdictWithoutOutput: @Sendable () -> ExitStatus
    /// Shows the output, from its first bytes on.
    private let pager: Pager?
    /// The fields that were left out of entries so far, and whether all were reported.
    private let skipped = Lock<(fields: SkippedFields, isReported: Bool)?>(nil)

    /// - Parameters:
    ///   - matches: raised by the number of entries written.
    ///   - mayBeClosed: whether the output may be closed.
    ///   - verdictWithoutOutput: the exit status when it was lost.
    init(
        _ outcome: TailOutcome,
        _ matches: Counter,
        _ silence: MatchWatch?,
        _ pager: Pager?,
        mayBeClosed: Bool,
        verdictWithoutOutput: @escaping @Sendable () -> ExitStatus
    ) {
        self.verdictWithoutOutput = verdictWithoutOutput
        output = StandardOutput(mayBeClosed: mayBeClosed)
        self.outcome = outcome
        self.matches = matches
        self.silence = silence
        self.pager = pager
    }

    /// The exit status when there was no error.
    var verdict: ExitStatus { Self.verdict(matches) }

    static func verdict(_ matches: Counter) -> ExitStatus { matches.isZero ? .nothingMatched : .matched }

    /// How many bytes of entries were taken and have not been written.
    var unwritten: Int { output.unwritten }

    /// Takes one or more entries, written out.
    ///
    /// - Parameter value: the value of the entry's group for `--timeout`, if any.
    func write(_ entries: [UInt8], of value: @autoclosure () -> String? = nil) {
        matches.increment()
        pager?.open()
        silence?.hold()
        output.append(entries)
        silence?.release(afterMatchOf: value())
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

    /// Reports the first fields that were left out of an entry, and counts later ones: a broken stream has very many.
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

    /// Writes the gathered output, and nothing after it. Blocks while nobody reads. Returns a message for a person if
    /// that is not possible.
    func close() -> String? {
        output.close()
        return output.reportableFailure
    }

    private func endIfBroken() {
        if output.failure != nil { outcome.decide(verdictWithoutOutput()) }
    }
}
