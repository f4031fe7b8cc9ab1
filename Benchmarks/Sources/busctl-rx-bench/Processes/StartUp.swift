extension Benchmark {
    /// A process that only prints its version.
    static let startUp = Benchmark(name: "start-up") { settings, report in
        try settings.requireCommand()
        let contest = ProcessContest(
            name: "start-up",
            contenders: [
                .init(role: .ours, name: "busctl-rx", command: Command(settings.command, "--version")),
                .init(role: .floor, name: "true", command: Command("true")),
                .init(role: .instead, name: "journalctl", command: Command("journalctl", "--version")),
            ],
            comparesOutput: false
        )
        let outcome = try contest.run(settings, rounds: settings.rounds * 3)
        report.add(outcome.wall.inMilliseconds)
        report.add(outcome.peak)
    }
}
