extension Benchmark {
    /// The time from starting the process to its first byte of output, which must not depend on the journal's size. The
    /// floor is a start of the program that reads no journal. The bound is a multiple of it, because a start takes 3 ms
    /// on one machine and 5 ms on another.
    static let journalFirstLine = Benchmark(name: "journal-first-line") { settings, report in
        for journal in try SampleJournal.both(settings) {
            try add(
                "the first line of all, \(journal.title)",
                ours: journal.ours(settings, "-n", "all", "-o", "cat"),
                journalctl: ("journalctl -o cat", journal.journalctl("-o", "cat")),
                to: &report,
                settings
            )
            try add(
                "the last line alone, \(journal.title)",
                ours: journal.ours(settings, "-n", "1", "-o", "cat"),
                journalctl: ("journalctl -n 1", journal.journalctl("-n", "1", "-o", "cat")),
                to: &report,
                settings
            )
        }
    }

    private static func add(
        _ name: String,
        ours: Command,
        journalctl: (name: String, command: Command),
        to report: inout Report,
        _ settings: Settings
    ) throws {
        let contest = FirstByteContest(
            name: name,
            contenders: [
                .ours(ours),
                .floor("busctl-rx --version", Command(settings.command, "--version")),
                .instead(journalctl.name, journalctl.command),
            ]
        )
        let isEnforced = !settings.isQuick && !settings.isBesideOtherWork
        report.add(
            try contest.run(rounds: settings.rounds * 3),
            bounds: [
                Bound(name: name, limit: .timesFloor(atMost: 3), isEnforced: isEnforced),
                Bound(
                    name: name,
                    limit: .timesFaster(than: journalctl.name, atLeast: 0.4),
                    isEnforced: isEnforced
                ),
            ]
        )
    }
}
