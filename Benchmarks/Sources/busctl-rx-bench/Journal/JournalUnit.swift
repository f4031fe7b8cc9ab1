extension Benchmark {
    /// A unit that wrote one entry in a thousand. The index knows which, so nothing else needs reading.
    static let journalUnit = Benchmark(name: "journal-unit") { settings, report in
        for journal in try SampleJournal.both(settings) {
            let outcome = try contest(settings, journal).run(settings, rounds: settings.processRounds)
            report.add(
                outcome.inMilliseconds,
                named: "a unit is found by the index, \(journal.name)",
                settings,
                wall: [.timesFaster(than: scan, atLeast: 5)]
            )
        }
    }

    /// The same entries by an expression over two fields, for which no index helps.
    private static let scan = "busctl-rx without the index"

    private static func contest(_ settings: Settings, _ journal: SampleJournal) -> ProcessContest {
        let unit = journal.rareUnit
        return ProcessContest(
            name: "one unit of \(journal.title)",
            contenders: [
                .ours(journal.ours(settings, "-o", "cat", "unit == \"\(unit)\"")),
                .instead("journalctl -u", journal.journalctl("--output", "cat", "--unit", unit)),
                .instead("journalctl FIELD=", journal.journalctl("--output", "cat", "_SYSTEMD_UNIT=\(unit)")),
                .instead(scan, journal.ours(settings, "-o", "cat", "[unit, host].exists(x, x == \"\(unit)\")")),
                .instead("libsystemd loop", journal.bare(settings, "match", "_SYSTEMD_UNIT=\(unit)")),
            ],
            comparesOutput: true
        )
    }
}
