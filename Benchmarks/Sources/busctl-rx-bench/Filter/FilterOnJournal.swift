extension Benchmark {
    /// One filter on a journal: its cost above fetching its fields, and compared with the usual tools.
    static let filterJournal = Benchmark(name: "filter-journal") { settings, report in
        let journal = try SampleJournal.narrow(settings)
        let evaluation = JournalFilterEvaluation(directory: journal.directory, entries: settings.journalEntries)
        report.add(
            try evaluation.contest(settings).run(settings),
            bounds: [Bound(name: "a filter on a journal entry", limit: .aboveFloor(atMost: 150))]
        )
        let outcome = try contest(settings, journal).run(settings, rounds: settings.processRounds)
        report.add(outcome.wall.inMilliseconds)
        report.add(outcome.cpu.inMilliseconds)
        let rates = ([outcome.wall.ours] + outcome.wall.instead).map { series in
            "\(series.name) \((Double(settings.journalEntries) / series.median / 1e6).figure)"
        }
        report.note("Filter on a journal, in millions of entries a second: \(rates.joined(separator: ", "))")
    }

    /// The same entries by every tool. jq and the plain scan read all entries, the others query the index first.
    private static func contest(_ settings: Settings, _ journal: SampleJournal) -> ProcessContest {
        let ours = [settings.command, "tail", "--directory", journal.directory, "--no-follow", "-o", "cat"]
        let journalctl = "journalctl --directory '\(journal.directory)' --no-pager --quiet"
        let select =
            #"select((.PRIORITY | tonumber) <= 3 and ._SYSTEMD_UNIT == "nginx.service""#
            + #" and (.MESSAGE | test("time.?out"))) | .MESSAGE"#
        func shell(_ line: String) -> Command { Command("/bin/sh", "-c", line) }
        return ProcessContest(
            name: "journal, filtered",
            contenders: [
                .init(role: .ours, name: "busctl-rx", command: Command(ours + [JournalFilterEvaluation.expression])),
                .init(
                    role: .instead,
                    name: "busctl-rx without the index",
                    command: Command(
                        ours + [
                            #"int(string(priority)) <= err && unit.matches("^nginx.service$") && message =~ "time.?out""#
                        ]
                    )
                ),
                .init(
                    role: .instead,
                    name: "journalctl --grep",
                    command: shell("\(journalctl) -u nginx.service -p err --case-sensitive --grep 'time.?out' -o cat")
                ),
                .init(
                    role: .instead,
                    name: "journalctl | grep",
                    command: shell("\(journalctl) -u nginx.service -p err -o cat | grep -E 'time.?out'")
                ),
                .init(
                    role: .instead,
                    name: "journalctl -o json | jq",
                    command: shell("\(journalctl) -o json | jq -r '\(select)'")
                ),
            ],
            comparesOutput: true
        )
    }
}
