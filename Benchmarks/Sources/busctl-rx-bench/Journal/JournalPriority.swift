extension Benchmark {
    /// The errors of a unit that wrote half of the entries.
    static let journalPriority = Benchmark(name: "journal-priority") { settings, report in
        for journal in try SampleJournal.both(settings) {
            let unit = journal.busyUnit
            let contest = ProcessContest(
                name: "a unit's errors in \(journal.title)",
                contenders: [
                    .ours(journal.ours(settings, "-o", "cat", "unit == \"\(unit)\" && priority <= err")),
                    .instead(journalctl, journal.journalctl("-u", unit, "-p", "err", "-o", "cat")),
                ],
                comparesOutput: true
            )
            let outcome = try contest.run(settings, rounds: settings.processRounds)
            report.add(
                outcome.inMilliseconds,
                named: "unit and priority, \(journal.name)",
                settings,
                wall: [.timesFaster(than: journalctl, atLeast: 2)]
            )
        }
    }

    private static let journalctl = "journalctl -u -p err"
}
