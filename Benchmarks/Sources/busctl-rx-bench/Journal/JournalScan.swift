extension Benchmark {
    /// Finding a word in the messages: every entry has to be looked at.
    static let journalScan = Benchmark(name: "journal-scan") { settings, report in
        let journal = try SampleJournal.prepared(settings)
        let contest = ProcessContest(
            name: "journal, a word in \(settings.journalEntries) messages",
            contenders: [
                .init(
                    role: .ours,
                    name: "busctl-rx",
                    command: Command(
                        settings.command,
                        "tail",
                        "--directory",
                        journal.directory,
                        "--no-follow",
                        "-o",
                        "cat",
                        "message.contains(\"\(SampleEntries.needle)\")"
                    )
                ),
                .init(
                    role: .floor,
                    name: "C loop",
                    command: Command(
                        settings.tools + "/journal-floor",
                        journal.directory,
                        "message",
                        SampleEntries.needle
                    )
                ),
                .init(
                    role: .instead,
                    name: "journalctl --grep",
                    command: Command(
                        "journalctl",
                        "--directory",
                        journal.directory,
                        "--no-pager",
                        "--quiet",
                        "--output",
                        "cat",
                        "--case-sensitive=yes",
                        "--grep",
                        SampleEntries.needle
                    )
                ),
            ],
            comparesOutput: true
        )
        let outcome = try contest.run(settings, rounds: settings.processRounds)
        let isEnforced = !settings.isQuick
        report.add(
            outcome.wall,
            bounds: [Bound(name: "scan, wall", limit: .timesFloor(atMost: 1.5), isEnforced: isEnforced)]
        )
        report.add(
            outcome.cpu,
            bounds: [Bound(name: "scan, user + system", limit: .timesFloor(atMost: 1.5), isEnforced: isEnforced)]
        )
        report.add(
            outcome.peak,
            bounds: [Bound(name: "scan, peak memory", limit: .median(atMost: 40), isEnforced: isEnforced)]
        )
    }
}
