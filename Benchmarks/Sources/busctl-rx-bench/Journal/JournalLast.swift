extension Benchmark {
    /// The last ten messages with a word that only one of the oldest contains, so the whole journal is searched.
    static let journalLast = Benchmark(name: "journal-last") { settings, report in
        for journal in try SampleJournal.both(settings) {
            let rarity = journal.rarity
            let contest = ProcessContest(
                name: "the last 10 of a rare word in \(journal.title)",
                contenders: [
                    .ours(journal.ours(settings, "-n", "10", "-o", "cat", "message.contains(\"\(rarity)\")")),
                    .instead(
                        journalctl,
                        journal.journalctl("-r", "-n", "10", "-o", "cat", "--case-sensitive=yes", "--grep", rarity)
                    ),
                ],
                comparesOutput: true
            )
            let outcome = try contest.run(settings, rounds: settings.slowProcessRounds)
            report.add(
                outcome.inMilliseconds,
                named: "last 10, \(journal.name)",
                settings,
                wall: [.timesFaster(than: journalctl, atLeast: 5)]
            )
        }
    }

    private static let journalctl = "journalctl -r --grep -n 10"
}
