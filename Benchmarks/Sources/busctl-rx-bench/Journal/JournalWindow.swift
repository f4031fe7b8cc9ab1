extension Benchmark {
    /// The entries of some time, alone and with a condition. Little else has to be read, wherever they are.
    static let journalWindow = Benchmark(name: "journal-window") { settings, report in
        let journal = try SampleJournal.units(settings)
        // Hours in the middle, and the first ones.
        let middle = settings.unitEntries / 2
        let hours = settings.unitEntries / 20
        let (first, last) = ("@\(UnitEntries.time(of: middle))", "@\(UnitEntries.time(of: middle + hours))")
        let early = "@\(UnitEntries.time(of: hours))"
        let windows: [(name: String, arguments: [String])] = [
            ("between two times", ["-S", first, "-U", last]),
            ("up to a time", ["-U", early]),
            ("from a time on", ["-S", "@\(UnitEntries.time(of: settings.unitEntries - hours))"]),
            ("between two times, backwards", ["-r", "-S", first, "-U", last]),
            ("a unit between two times", ["-u", UnitEntries.unit, "-S", first, "-U", last]),
            ("errors between two times", ["-p", "err", "-S", first, "-U", last]),
            ("a word between two times", ["-g", UnitEntries.needle, "-S", first, "-U", last]),
        ]
        for window in windows {
            let contest = ProcessContest(
                name: "\(window.name), of \(journal.title)",
                contenders: [
                    .ours(journal.ours(settings, ["-o", "cat"] + window.arguments)),
                    .instead(journalctl, journal.journalctl(["-o", "cat"] + window.arguments)),
                ],
                comparesOutput: true
            )
            let outcome = try contest.run(settings, rounds: settings.processRounds)
            report.add(
                outcome.inMilliseconds,
                named: window.name,
                settings,
                wall: [.timesFaster(than: journalctl, atLeast: 1)]
            )
        }
    }

    private static let journalctl = "journalctl"
}
