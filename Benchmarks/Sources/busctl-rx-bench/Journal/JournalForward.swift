import Glibc

extension Benchmark {
    /// Every entry to an OpenTelemetry receiver that does nothing but acknowledge, compared with the JSON that other shippers begin with.
    static let journalForward = Benchmark(name: "journal-forward") { settings, report in
        let receiver = try PipedRun(Command(settings.tools + "/acknowledge"))
        defer { receiver.end() }
        let port = String(decoding: try receiver.read(), as: UTF8.self).trimmed
        let (narrow, wide) = (try SampleJournal.narrow(settings), try SampleJournal.wide(settings))
        // 150,000 entries a second on one core, in seconds for all.
        let whole = Bound.Limit.median(atMost: Double(settings.journalEntries) / 150_000)
        for (journal, cpu) in [(narrow, whole), (wide, .timesFaster(than: journalctl, atLeast: 8))] {
            // journalctl takes a minute and more over all of the narrow one.
            let isPart = journal.name == narrow.name
            let theirs = isPart ? try journal.firstFile() : journal
            let contest = ProcessContest(
                name: "to OpenTelemetry, \(journal.title)",
                contenders: [
                    .ours(journal.forwarded(settings, to: port)),
                    .instead(
                        isPart ? "\(journalctl), its first file" : journalctl,
                        theirs.journalctl("--output", "json")
                    ),
                ],
                comparesOutput: false
            )
            report.add(
                try contest.run(settings, rounds: 2),
                named: "forward, \(journal.name)",
                settings,
                wall: [],
                cpu: [cpu]
            )
        }
    }

    private static let journalctl = "journalctl -o json"
}

extension SampleJournal {
    /// `forward` from the journal's first entry on, each time.
    fileprivate func forwarded(_ settings: Settings, to port: String) -> Command {
        let cursor = "\(settings.cache)/forward-cursor.\(getpid())"
        let script =
            "rm -f \"$1\"; \"$0\" forward --to \"otlp+http://127.0.0.1:$2\" --cursor-file \"$1\" --from \"directory:$3\" --no-follow && rm \"$1\""
        return Command("sh", "-c", script, settings.command, cursor, port, directory)
    }
}

extension String {
    fileprivate var trimmed: String { String(prefix { !$0.isWhitespace }) }
}
