import Foundation

extension Benchmark {
    /// Every entry with every field, as JSON.
    static let journalJSON = Benchmark(name: "journal-json") { settings, report in
        // journalctl takes half a minute or more over all of either.
        for journal in [try SampleJournal.narrow(settings).firstFile(), try SampleJournal.wide(settings)] {
            try compareObjects(settings, journal)
            let contest = ProcessContest(
                name: "as JSON, \(journal.title)",
                contenders: [
                    .ours(journal.ours(settings, "-o", "json")),
                    .instead(journalctl, journal.journalctl("--output", "json")),
                    .instead("libsystemd loop over all fields", journal.bare(settings, "fields")),
                ],
                comparesOutput: false
            )
            let outcome = try contest.run(settings, rounds: 2)
            report.add(
                outcome,
                named: "JSON, \(journal.name)",
                settings,
                wall: [.timesFaster(than: journalctl, atLeast: 25)],
                // Two threads reduce the wall-clock time.
                cpu: [.timesFaster(than: journalctl, atLeast: 15)]
            )
        }
    }

    private static let journalctl = "journalctl -o json"

    /// Both must print the same objects, in whatever order their fields are.
    private static func compareObjects(_ settings: Settings, _ journal: SampleJournal) throws {
        let count = "2000"
        let ours = try objects(journal.ours(settings, "-n", count, "-o", "json"), settings)
        let theirs = try objects(journal.journalctl("--lines", count, "--output", "json"), settings)
        guard !ours.isEmpty, ours == theirs else {
            throw Complaint("journal-json: the objects that busctl-rx prints are not those that journalctl prints")
        }
    }

    private static func objects(_ command: Command, _ settings: Settings) throws -> [NSDictionary] {
        let file = settings.cache + "/json.\(getpid())"
        defer { unlink(file) }
        _ = try command.run(settings, output: file)
        return try TextFile.bytes(file).split(separator: UInt8(ascii: "\n")).map { line in
            guard var object = try JSONSerialization.jsonObject(with: line) as? [String: Any] else {
                throw Complaint("journal-json: a line that is no object")
            }
            // journalctl writes these from version 254 on.
            for name in ["__SEQNUM", "__SEQNUM_ID"] { object[name] = nil }
            return NSDictionary(dictionary: object)
        }
    }
}
