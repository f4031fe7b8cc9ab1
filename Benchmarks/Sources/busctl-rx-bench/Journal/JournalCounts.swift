extension Benchmark {
    /// How many entries there are: of all, of each value of some fields, and of each hour.
    static let journalCounts = Benchmark(name: "journal-counts") { settings, report in
        let (units, wide) = (try SampleJournal.units(settings), try SampleJournal.wide(settings))
        let boot = "_BOOT_ID"
        let unit = "_SYSTEMD_UNIT"
        let three = "\(unit),SYSLOG_IDENTIFIER,PRIORITY"
        let questions: [(what: String, journal: SampleJournal, arguments: [String], fields: String, atLeast: Double)] =
            [
                ("all", units, [], boot, 50),
                ("units", units, ["--by", "unit"], unit, 50),
                ("three fields", units, ["--by", "unit,identifier,priority"], three, 20),
                ("hours", units, ["--every", "1h"], boot, 20),
                ("units", wide, ["--by", "unit"], unit, 50),
            ]
        for (what, journal, arguments, fields, atLeast) in questions {
            let reading = "journalctl --directory \"$0\" --no-pager --quiet -o cat --output-fields=\(fields)"
            let firstLine = "\"$0\" tail --directory \"$1\" --no-follow -n all -o cat | head -n 1"
            let contest = ProcessContest(
                name: "counts of \(what) in \(journal.title)",
                contenders: [
                    .ours(
                        Command([settings.command, "count", "--from", "directory:\(journal.directory)"] + arguments)
                    ),
                    .floor("the first line", Command("sh", "-c", firstLine, settings.command, journal.directory)),
                    .instead(journalctl, Command("sh", "-c", reading + " | sort | uniq -c", journal.directory)),
                ],
                comparesOutput: false
            )
            report.add(
                try contest.run(settings, rounds: settings.processRounds).inMilliseconds,
                named: "counts of \(what), \(journal.name)",
                settings,
                wall: [.timesFaster(than: journalctl, atLeast: atLeast)]
                    + (arguments.isEmpty ? [.aboveFloor(atMost: 3)] : [])
            )
        }
    }

    private static let journalctl = "journalctl | sort | uniq -c"
}
