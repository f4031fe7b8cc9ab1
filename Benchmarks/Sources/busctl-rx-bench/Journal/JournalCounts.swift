extension Benchmark {
    /// How many entries there are: of all, of each value of a field, and of each hour.
    static let journalCounts = Benchmark(name: "journal-counts") { settings, report in
        for journal in [try SampleJournal.units(settings), try SampleJournal.wide(settings)] {
            let questions: [(what: String, arguments: [String], fields: String, atLeast: Double)] = [
                ("all", [], "_BOOT_ID", 15),
                ("units", ["--by", "unit"], "_SYSTEMD_UNIT", 10),
                ("three fields", ["--by", "unit,identifier,priority"], "_SYSTEMD_UNIT,SYSLOG_IDENTIFIER,PRIORITY", 10),
                ("hours", ["--every", "1h"], "_SOURCE_REALTIME_TIMESTAMP", 10),
            ]
            for (what, arguments, fields, atLeast) in questions {
                let reading = "journalctl --directory \"$0\" --no-pager --quiet -o cat --output-fields=\(fields)"
                let contest = ProcessContest(
                    name: "counts of \(what) in \(journal.title)",
                    contenders: [
                        .ours(
                            Command(
                                [settings.command, "count", "--from", "directory:\(journal.directory)"] + arguments
                            )
                        ),
                        .floor(loop, journal.bare(settings, "fields")),
                        .instead(journalctl, Command("sh", "-c", reading + " | sort | uniq -c", journal.directory)),
                    ],
                    comparesOutput: false
                )
                report.add(
                    try contest.run(settings, rounds: settings.processRounds).inMilliseconds,
                    named: "counts of \(what), \(journal.name)",
                    settings,
                    wall: [.timesFaster(than: journalctl, atLeast: atLeast)]
                )
            }
        }
    }

    private static let journalctl = "journalctl | sort | uniq -c"
    private static let loop = "libsystemd, all fields"
}
