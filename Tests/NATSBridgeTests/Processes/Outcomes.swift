@testable import Timers

/// The lines that instances of `nightjob` have written, and what must hold of them.
struct Outcomes {
    struct Line: Hashable {
        /// The calendar's time in seconds since 1970.
        var time: Int64
        var number: UInt64
        var process: Int32
        var attempt: Int
        var isEnd: Bool

        init?(_ text: Substring) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 5, let time = Int64(words[0]), let number = UInt64(words[1]),
                let process = Int32(words[2]), let attempt = Int(words[3]), ["begin", "end"].contains(words[4])
            else { return nil }
            (self.time, self.number, self.process, self.attempt) = (time, number, process, attempt)
            isEnd = words[4] == "end"
        }

        /// The line that the run wrote before.
        var begin: Line {
            var line = self
            line.isEnd = false
            return line
        }
    }

    let lines: [Line]
    private let unreadable: [Substring]

    init(_ text: String) {
        let parts = text.split(separator: "\n")
        lines = parts.compactMap { Line($0) }
        unreadable = parts.filter { Line($0) == nil }
    }

    /// The lines that something takes which refuses numbers lower than one that it has seen.
    var accepted: [Line] {
        var highest: UInt64 = 0
        return lines.filter { line in
            highest = max(highest, line.number)
            return line.number == highest
        }
    }

    /// What must hold whatever became of the instances and the server, and does not. The calendar has each second, and all
    /// that was missed runs.
    ///
    /// - Parameters:
    ///   - record: the job's, when all instances have ended.
    ///   - last: the time up to which all should have run.
    ///   - given: the times whose runs were given up, as the record said at some time; nil when interrupted runs run again.
    func findings(_ record: JobRecord, through last: Int64, given: Set<Int64>?) -> [String] {
        var findings = unreadable.map { "an unreadable line: \($0)" }
        let begins = lines.filter { !$0.isEnd }
        for (number, runs) in Dictionary(grouping: begins, by: \.number) where runs.count > 1 {
            findings.append("\(runs.count) runs have the number \(number)")
        }
        var begun: Set<Line> = []
        for line in lines where !begun.insert(line).inserted || line.isEnd && !begun.contains(line.begin) {
            findings.append("twice, or an end without a beginning: \(line)")
        }
        if let highest = lines.map(\.number).max(), highest > record.number {
            findings.append("the run \(highest) is not in the record, whose number is \(record.number)")
        }
        let ends = Set(accepted.filter(\.isEnd).map(\.time))
        if let ended = record.last, ended.end == .succeeded, !accepted.contains(where: { $0.isRun(ended.entry) }) {
            findings.append("the record has a success that wrote nothing: \(ended.entry)")
        }
        guard let first = lines.map(\.time).min(), first <= last else { return findings + ["nothing ran"] }
        findings += (first...last).filter { !ends.contains($0) && given?.contains($0) != true }
            .map { "\($0) did not run to its end" }
        guard given != nil else { return findings }
        for (time, runs) in Dictionary(grouping: begins, by: \.time) where runs.count > 1 {
            findings.append("\(time) ran \(runs.count) times")
        }
        return findings
    }
}

extension Outcomes.Line {
    /// Whether it is the end of a run that a record has.
    fileprivate func isRun(_ entry: JobRecord.Entry) -> Bool {
        isEnd && number == entry.number && attempt == entry.attempt && time * 1_000_000_000 == entry.time.nanoseconds
    }
}
