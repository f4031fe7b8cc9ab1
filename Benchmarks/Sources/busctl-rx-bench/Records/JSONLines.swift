import Foundation

extension Benchmark {
    /// A log of JSON, filtered on two fields: lines a second of processor time, compared with the usual tools.
    static let jsonLines = Benchmark(name: "json-lines") { settings, report in
        try settings.requireCommand()
        let log = try SampleLog(settings)
        let contest = ProcessContest(
            name: "\(log.lines) lines of JSON, filtered on two fields",
            contenders: [
                .ours(
                    Command(
                        settings.command,
                        "tail",
                        "--from",
                        "json:\(log.path)",
                        "--no-follow",
                        "-n",
                        "all",
                        "--template",
                        "{request_id}",
                        "level == 'error' && status >= 500"
                    )
                ),
                .floor("grep -c", Command("/bin/sh", "-c", "grep -c '\"level\": \"error\"' '\(log.path)' | cat")),
                .instead(
                    jq,
                    Command(
                        "/bin/sh",
                        "-c",
                        "jq -r 'select(.level == \"error\" and .status >= 500) | .request_id' '\(log.path)'"
                    )
                ),
            ],
            comparesOutput: false
        )
        let outcome = try contest.run(settings, rounds: settings.slowProcessRounds)
        report.add(
            outcome,
            named: "a log of JSON",
            settings,
            wall: [.timesFaster(than: jq, atLeast: 1.5)]
        )
        let rates = ([outcome.cpu.ours] + outcome.cpu.instead).map { series in
            "\(series.name) \((Double(log.lines) / series.median / 1e6).figure)"
        }
        report.note("A log of JSON, in millions of lines a second of processor time: \(rates.joined(separator: ", "))")
        // hl publishes 0.6 for one core.
        report.add(
            outcome.cpu,
            bounds: [
                Bound(
                    name: "0.6 million lines a second of one processor",
                    limit: .median(atMost: Double(log.lines) / 0.6e6)
                )
            ]
        )
    }

    private static let jq = "jq"
}

/// A log of JSON with one request a line. It is the same in each run.
private struct SampleLog {
    let path: String
    let lines: Int

    init(_ settings: Settings) throws {
        lines = settings.isQuick ? 100_000 : 2_000_000
        path = settings.cache + "/requests-\(lines).json"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        guard FileManager.default.createFile(atPath: path + ".new", contents: nil),
            let file = FileHandle(forWritingAtPath: path + ".new")
        else { throw Complaint("cannot write \(path)") }
        var state: UInt64 = 1
        func random(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        var text = ""
        for number in 0..<lines {
            let level = ["info", "info", "info", "warn", "error"][Int(random(5))]
            let status = [200, 200, 200, 404, 502][Int(random(5))]
            text += "{\"ts\": 1795468046.\(100_000 + random(900_000)), \"level\": \"\(level)\", \"logger\": \"http\", "
            text += "\"msg\": \"request \(number) done\", \"status\": \(status), \"took\": 0.\(random(1_000_000)), "
            text += "\"path\": \"/api/v1/items/\(random(1000))\", "
            text += "\"request_id\": \"\(random(1 << 30))-\(random(1 << 30))\"}\n"
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
        try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
    }
}
