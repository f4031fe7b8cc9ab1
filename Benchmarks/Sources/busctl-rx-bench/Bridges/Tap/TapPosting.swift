import Bus
import Glibc
import TapBridge

extension Benchmark {
    /// A tap with one watcher in another process, and a tap without a watcher.
    static let tap = Benchmark(name: "tap") { settings, report in
        try watched(settings, &report)
        try unwatched(settings, &report)
    }

    /// 300,000 events a second, in nanoseconds an event.
    private static let longest = 1e9 / 300_000
    /// The share of a processor that a watch may take by default.
    private static let processorShare = TapOptions().processorShare

    private static func watched(_ settings: Settings, _ report: inout Report) throws {
        let contenders: [(reader: TapWatcherProcess.Reader, name: String)] = [
            (.client, "TapClient"), (.bare, "a bare reader"),
        ]
        let taps = try contenders.map { try WatchedTap($0.reader) }
        let batches = settings.events(512)
        var rounds = contenders.map { _ in [WatchedTap.Round]() }
        for round in 0...settings.rounds {
            for (index, tap) in taps.enumerated() {
                let taken = try tap.run(batches)
                if round > 0 { rounds[index].append(taken) }
            }
        }
        func add(_ name: String, _ part: (WatchedTap.Round) -> Double, atMost most: Double, isEnforced: Bool = true) {
            let series = zip(contenders, rounds).map { Series(name: $0.name, samples: $1.map(part)) }
            let standing = Standing(name: name, unit: "ns/event", ours: series[0], floor: series[1])
            report.add(standing, bounds: [Bound(name: name, limit: .median(atMost: most), isEnforced: isEnforced)])
        }
        add("tap, watched: wall", \.wall, atMost: longest, isEnforced: !settings.isBesideOtherWork)
        add("tap, watched: the tap's thread", \.tap, atMost: longest * processorShare)
        add("tap, watched: the watcher", \.watcher, atMost: longest)
        add("tap, watched: the poster", \.poster, atMost: 1000)
        let rate = rounds.map { 1e9 / $0.map(\.wall).median }
        report.note(
            "tap: \(rate[0].figure) events a second reached TapClient, and \(rate[1].figure) a bare reader, in another process"
        )
    }

    /// A post on a bus with one subscriber, with and without an open tap. Both use the same bus and poster, so only the
    /// tap differs.
    private static func unwatched(_ settings: Settings, _ report: inout Report) throws {
        let posts = UnwatchedPosts()
        let events = 200_000
        var (with, without) = (Series(name: "busctl-rx"), Series(name: "no tap"))
        _ = posts.time(events)
        // Many short pairs. Other work on the machine lasts longer than one pair, and affects both parts. Each part
        // goes first alternately.
        for pair in 0..<settings.events(400) {
            if pair % 2 == 0 { without.samples.append(posts.time(events)) }
            with.samples.append(try posts.whileServed { posts.time(events) })
            if pair % 2 == 1 { without.samples.append(posts.time(events)) }
        }
        let standing = Standing(name: "tap, nobody watches", unit: "ns/event", ours: with, floor: without)
        report.add(standing, bounds: [Bound(name: standing.name, limit: .timesFloor(atMost: 1.01))])
    }
}
