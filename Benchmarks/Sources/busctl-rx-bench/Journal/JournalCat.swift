extension Benchmark {
    /// Every message and nothing else.
    static let journalCat = Benchmark(name: "journal-cat") { settings, report in
        for journal in try SampleJournal.both(settings) + [SampleJournal.scattered(settings)] {
            let contest = ProcessContest(
                name: "all messages of \(journal.title)",
                contenders: [
                    .ours(journal.ours(settings, "-o", "cat")),
                    .instead(journalctl, journal.journalctl("--output", "cat")),
                ],
                comparesOutput: true
            )
            let outcome = try contest.run(settings, rounds: settings.slowProcessRounds)
            report.add(
                outcome,
                named: "cat, \(journal.name)",
                settings,
                wall: [.timesFaster(than: journalctl, atLeast: 4)]
            )
        }
    }

    private static let journalctl = "journalctl -o cat"
}
