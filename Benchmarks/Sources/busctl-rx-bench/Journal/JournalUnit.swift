extension Benchmark {
    /// A unit that wrote one entry in a thousand: the index knows which, so that nothing else needs reading.
    static let journalUnit = Benchmark(name: "journal-unit") { settings, report in
        let journal = try SampleJournal.prepared(settings)
        let outcome = try contest(settings, journal).run(settings, rounds: settings.processRounds)
        let isEnforced = !settings.isQuick
        report.add(
            outcome.wall.inMilliseconds,
            bounds: [
                Bound(
                    name: "a unit is found by the index",
                    limit: .timesFaster(than: scan, atLeast: 5),
                    isEnforced: isEnforced
                )
            ]
        )
        report.add(outcome.cpu.inMilliseconds)
        report.add(
            outcome.peak,
            bounds: [Bound(name: "unit, peak memory", limit: .median(atMost: 40), isEnforced: isEnforced)]
        )
    }

    /// The same entries with nothing for the index to answer.
    private static let scan = "busctl-rx without the index"

    private static func contest(_ settings: Settings, _ journal: SampleJournal) -> ProcessContest {
        let unit = SampleEntries.rareUnit
        let ours = ["tail", "--directory", journal.directory, "--no-follow", "-o", "cat"]
        let journalctl = ["journalctl", "--directory", journal.directory, "--no-pager", "--quiet", "--output", "cat"]
        return ProcessContest(
            name: "journal, one unit",
            contenders: [
                .init(
                    role: .ours,
                    name: "busctl-rx",
                    command: Command([settings.command] + ours + ["unit == \"\(unit)\""])
                ),
                .init(
                    role: .floor,
                    name: "C loop",
                    command: Command(
                        settings.tools + "/journal-floor",
                        journal.directory,
                        "match",
                        "_SYSTEMD_UNIT=\(unit)"
                    )
                ),
                .init(
                    role: .instead,
                    name: "journalctl -u",
                    command: Command(journalctl + ["--unit", unit])
                ),
                .init(
                    role: .instead,
                    name: "journalctl FIELD=",
                    command: Command(journalctl + ["_SYSTEMD_UNIT=\(unit)"])
                ),
                .init(
                    role: .instead,
                    name: scan,
                    command: Command([settings.command] + ours + ["unit.startsWith(\"\(unit)\")"])
                ),
            ],
            comparesOutput: true
        )
    }
}
