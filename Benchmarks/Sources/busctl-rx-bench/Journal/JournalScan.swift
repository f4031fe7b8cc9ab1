extension Benchmark {
    /// Finding a word in the messages. Every message has to be searched.
    static let journalScan = Benchmark(name: "journal-scan") { settings, report in
        for journal in try SampleJournal.both(settings) {
            let needle = journal.needle
            let contest = ProcessContest(
                name: "a word in the messages of \(journal.title)",
                contenders: [
                    .ours(journal.ours(settings, "-o", "cat", "message.contains(\"\(needle)\")")),
                    .floor("C pass", journal.bare(settings, "pass", needle)),
                    .instead(
                        journalctl,
                        journal.journalctl("--output", "cat", "--case-sensitive=yes", "--grep", needle)
                    ),
                    .instead("libsystemd loop", journal.bare(settings, "message", needle)),
                ],
                comparesOutput: true
            )
            // journalctl uses one core, so the processor time has to be less by the same factor.
            let limits: [Bound.Limit] = [.timesFaster(than: journalctl, atLeast: 8), .timesFloor(atMost: 2)]
            let outcome = try contest.run(settings, rounds: settings.slowProcessRounds)
            report.add(outcome.inMilliseconds, named: "scan, \(journal.name)", settings, wall: limits, cpu: limits)
        }
    }

    private static let journalctl = "journalctl --grep"
}
