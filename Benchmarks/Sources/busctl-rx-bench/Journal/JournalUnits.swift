extension Benchmark {
    /// One of a hundred units, which libsystemd finds as well, and the units of a pattern. Their names are compared once for each value and
    /// not for each entry.
    static let journalUnits = Benchmark(name: "journal-units") { settings, report in
        let journal = try SampleJournal.units(settings)
        let one = ProcessContest(
            name: "one of a hundred units in \(journal.title)",
            contenders: [
                .ours(journal.ours(settings, "-o", "cat", "-u", UnitEntries.unit)),
                .instead(loop, journal.bare(settings, "match", "_SYSTEMD_UNIT=\(UnitEntries.unit)")),
                .instead(journalctl, journal.journalctl("-o", "cat", "-u", UnitEntries.unit)),
            ],
            comparesOutput: true
        )
        report.add(
            try one.run(settings, rounds: settings.processRounds).inMilliseconds,
            named: "one of a hundred units",
            settings,
            wall: [.timesFaster(than: loop, atLeast: 1)]
        )
        let pattern = ProcessContest(
            name: "eleven of a hundred units in \(journal.title)",
            contenders: [
                .ours(journal.ours(settings, "-o", "cat", "unit =~ \"^svc4\"")),
                .instead("busctl-rx -u", journal.ours(settings, "-o", "cat", "-u", "svc4*")),
                .instead(journalctl, journal.journalctl("-o", "cat", "-u", "svc4*")),
            ],
            comparesOutput: true
        )
        report.add(
            try pattern.run(settings, rounds: settings.processRounds).inMilliseconds,
            named: "units of a pattern",
            settings,
            wall: [.timesFaster(than: journalctl, atLeast: 3)]
        )
    }

    private static let journalctl = "journalctl"
    private static let loop = "libsystemd loop"
}
