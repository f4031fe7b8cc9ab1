import Foundation

extension Benchmark {
    /// The time from sending a message until a follower's line is readable on its standard output, and the number of
    /// wake-ups while nothing is sent.
    static let followerLatency = Benchmark(name: "follower") { settings, report in
        try settings.requireCommand()
        guard geteuid() == 0 else { return report.note("follower: skipped, a private journald needs root") }
        guard access(PrivateJournald.program, X_OK) == 0 else {
            return report.note("follower: skipped, there is no \(PrivateJournald.program)")
        }
        let journald = try PrivateJournald()
        defer { journald.stop() }
        try journald.send("first")
        let ours = try Follower(
            "busctl-rx",
            settings.command,
            ["tail", "--namespace", journald.namespace, "-n", "0", "-o", "cat"]
        )
        defer { ours.stop() }
        let theirs = try Follower(
            "journalctl -f",
            "/usr/bin/env",
            ["journalctl", "--namespace", journald.namespace, "--follow", "--lines", "0", "--output", "cat"]
        )
        defer { theirs.stop() }
        let run = FollowerRun(journald: journald, followers: [ours, theirs])
        try run.attach()
        let sent = try run.send(settings.isQuick ? 40 : 200, apart: .milliseconds(50))
        try report.add(ours, beside: theirs, sent: sent, isEnforced: !settings.isQuick)
        let wakes = try run.wakesAtRest(for: .seconds(settings.isQuick ? 2 : 20))
        report.add(
            Standing(
                name: "follower at rest: wakes a second",
                unit: "1/s",
                ours: Series(name: ours.name, samples: [wakes[0]]),
                instead: [Series(name: theirs.name, samples: [wakes[1]])]
            ),
            bounds: [Bound(name: "follower at rest", limit: .median(atMost: 2), isEnforced: !settings.isQuick)]
        )
    }
}

extension Report {
    fileprivate mutating func add(
        _ ours: Follower,
        beside theirs: Follower,
        sent: [(message: String, time: ContinuousClock.Instant)],
        isEnforced: Bool
    ) throws {
        func latencies(_ follower: Follower) -> [Double] {
            sent.compactMap { message, time in
                follower.arrivals[message].map { ($0 - time).nanoseconds / 1e6 }
            }
        }
        let (mine, other) = (latencies(ours), latencies(theirs))
        guard mine.count == sent.count else {
            throw Complaint("follower: \(ours.name) showed \(mine.count) of \(sent.count) messages")
        }
        if other.count < sent.count { note("\(theirs.name) showed \(other.count) of \(sent.count) messages") }
        add(
            Standing(
                name: "follower: send to readable line",
                unit: "ms",
                ours: Series(name: ours.name, samples: mine),
                instead: [Series(name: theirs.name, samples: other)]
            ),
            bounds: [Bound(name: "follower, median", limit: .median(atMost: 5), isEnforced: isEnforced)]
        )
        add(
            Standing(
                name: "follower: the slowest of a hundred",
                unit: "ms",
                ours: Series(name: ours.name, samples: [mine.percentile(0.99)]),
                instead: [Series(name: theirs.name, samples: [other.percentile(0.99)])]
            )
        )
    }
}
