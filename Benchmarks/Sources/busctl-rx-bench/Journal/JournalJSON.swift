import Foundation

extension Benchmark {
    /// Every entry with every field, as JSON.
    static let journalJSON = Benchmark(name: "journal-json") { settings, report in
        let journal = try SampleJournal.prepared(settings)
        try compareObjects(settings, journal)
        let contest = ProcessContest(
            name: "journal, all of \(settings.journalEntries) entries as JSON",
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
                        "json"
                    )
                ),
                .init(
                    role: .floor,
                    name: "C loop over all fields",
                    command: Command(settings.tools + "/journal-floor", journal.directory, "fields")
                ),
                .init(
                    role: .instead,
                    name: journalctl,
                    command: Command(
                        "journalctl",
                        "--directory",
                        journal.directory,
                        "--no-pager",
                        "--quiet",
                        "--output",
                        "json"
                    )
                ),
            ],
            comparesOutput: false
        )
        let outcome = try contest.run(settings, rounds: min(3, settings.processRounds))
        let isEnforced = !settings.isQuick
        report.add(
            outcome.wall,
            bounds: [
                Bound(
                    name: "JSON, wall",
                    limit: .timesFaster(than: journalctl, atLeast: 8),
                    isEnforced: isEnforced
                )
            ]
        )
        report.add(outcome.cpu)
        report.add(
            outcome.peak,
            bounds: [Bound(name: "JSON, peak memory", limit: .median(atMost: 40), isEnforced: isEnforced)]
        )
    }

    private static let journalctl = "journalctl -o json"

    /// Both must print the same objects, whatever order their fields are in.
    private static func compareObjects(_ settings: Settings, _ journal: SampleJournal) throws {
        let count = "2000"
        let ours = try objects(
            Command(
                settings.command,
                "tail",
                "--directory",
                journal.directory,
                "--no-follow",
                "-n",
                count,
                "-o",
                "json"
            ),
            settings
        )
        let theirs = try objects(
            Command(
                "journalctl",
                "--directory",
                journal.directory,
                "--no-pager",
                "--quiet",
                "--lines",
                count,
                "--output",
                "json"
            ),
            settings
        )
        guard !ours.isEmpty, ours == theirs else {
            throw Complaint("journal-json: the objects that busctl-rx prints are not those that journalctl prints")
        }
    }

    private static func objects(_ command: Command, _ settings: Settings) throws -> [NSDictionary] {
        let file = settings.cache + "/json.\(getpid())"
        defer { unlink(file) }
        _ = try command.run(settings, output: file)
        return try TextFile.bytes(file).split(separator: UInt8(ascii: "\n")).map { line in
            guard let object = try JSONSerialization.jsonObject(with: line) as? NSDictionary else {
                throw Complaint("journal-json: a line that is no object")
            }
            return object
        }
    }
}
