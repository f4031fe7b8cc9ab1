import Foundation
import Glibc

extension Benchmark {
    /// The time from the last key of a filter until the screen of `explore`, in tmux, shows counts of that filter, and until they are
    /// whole; and the memory that it has taken in the end. The screen is looked at each ten milliseconds.
    static let explore = Benchmark(name: "explore") { settings, report in
        let journal = try SampleJournal.units(settings)
        guard let screen = try ExploredScreen(settings, journal) else {
            return report.note("explore: skipped, there is no tmux")
        }
        defer { screen.end() }
        var (first, whole) = (Series(name: "busctl-rx"), Series(name: "busctl-rx"))
        for _ in 0..<settings.slowProcessRounds {
            for filter in filters {
                let times = try screen.type(filter)
                first.samples.append(times.first)
                whole.samples.append(times.whole)
                if first.samples.count <= filters.count {
                    report.note(
                        "explore: \(filter): first after \(times.first.figure) ms, whole after \(times.whole.figure) ms"
                    )
                }
            }
        }
        let what = "explore, \(journal.title): last key of a filter"
        report.add(
            Standing(name: "\(what) to counts of it", unit: "ms", ours: first),
            bounds: [Bound(name: "explore answers a key", limit: .median(atMost: 100), isEnforced: !settings.isQuick)]
        )
        report.add(
            Standing(name: "\(what) to whole counts", unit: "ms", ours: whole),
            bounds: [Bound(name: "explore has counted", limit: .median(atMost: 250), isEnforced: !settings.isQuick)]
        )
        report.add(
            Standing(
                name: "explore, \(journal.title): memory",
                unit: "MB",
                ours: Series(name: "busctl-rx", samples: [try screen.peakMegabytes()])
            ),
            bounds: [Bound(name: "explore's memory", limit: .median(atMost: 100), isEnforced: !settings.isQuick)]
        )
    }

    private static let filters = [
        #"unit == "svc6.service""#, "priority <= err", #"identifier in ["svc1", "svc2"]"#, "pid == 1006",
        #"unit.startsWith("svc4") && priority < 6"#, #"message =~ "session 30""#,
        #"priority <= err && message =~ "session 30""#, #"message.contains("took 99")"#, "uid != 993",
    ]
}

/// `busctl-rx explore` in a terminal of its own.
private struct ExploredScreen {
    private let folder: String
    private let process: pid_t

    private static let limit = Duration.seconds(60)

    /// `nil` without tmux.
    init?(_ settings: Settings, _ journal: SampleJournal) throws {
        folder = "\(settings.cache)/explore.\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let socket = "\(folder)/socket"
        guard try Self.tmux(socket, ["-V"]) != nil else { return nil }
        let command = "exec '\(settings.command)' explore --no-follow --from 'directory:\(journal.directory)'"
        _ = try Self.tmux(socket, ["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "36", command])
        let shown = try Self.tmux(socket, ["display-message", "-p", "#{pane_pid}"]) ?? ""
        process = pid_t(shown.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        _ = try wait { $0.isWhole }
    }

    func end() {
        _ = try? Self.tmux("\(folder)/socket", ["kill-server"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Types a filter in place of the one before, and returns after how many milliseconds the first and the whole counts of it were shown.
    func type(_ filter: String) throws -> (first: Double, whole: Double) {
        // All of it but the last key, which is none, or another filter.
        try keys(["/", "C-u"])
        try keys(["-l", String(filter.dropLast())])
        try settle()
        let before = try title()
        let start = ContinuousClock.now
        try keys(["-l", String(filter.suffix(1))])
        let first = try wait { $0.isAnswer && $0 != before }
        let whole = try wait { $0.isWhole && $0 != before }
        try keys(["Enter"])
        return ((first - start).nanoseconds / 1e6, (whole - start).nanoseconds / 1e6)
    }

    /// Waits until nothing has changed for a while.
    private func settle() throws {
        var (last, since) = (try title(), ContinuousClock.now)
        while ContinuousClock.now < since + .milliseconds(300) || !last.isWhole {
            usleep(20_000)
            let now = try title()
            if now != last { (last, since) = (now, .now) }
            if ContinuousClock.now > since + Self.limit { throw Complaint("explore: still at \(now)") }
        }
    }

    private func wait(until isSo: (String) -> Bool) throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + Self.limit
        while true {
            let line = try title()
            if isSo(line) { return .now }
            if ContinuousClock.now > deadline { throw Complaint("explore: still at \(line)") }
            // Asking takes a processor, which explore may need.
            usleep(10_000)
        }
    }

    /// The most memory that it has had, in millions of bytes.
    func peakMegabytes() throws -> Double {
        let line = try TextFile.read("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).compactMap({ Double($0) }).first else {
            throw Complaint("explore: it has ended")
        }
        return kibibytes * 1024 / 1e6
    }

    private func keys(_ keys: [String]) throws { _ = try Self.tmux("\(folder)/socket", ["send-keys"] + keys) }

    private func title() throws -> String {
        let screen = try Self.tmux("\(folder)/socket", ["capture-pane", "-p"]) ?? ""
        return String(screen.prefix { $0 != "\n" })
    }

    /// What it prints; `nil` where it cannot be run.
    private static func tmux(_ socket: String, _ arguments: [String]) throws -> String? {
        let words = ["tmux", "-u", "-S", socket] + arguments
        let command = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        guard let output = popen("\(command) </dev/null 2>/dev/null", "re") else {
            throw Complaint("no shell, error \(errno)")
        }
        var bytes: [UInt8] = []
        while let byte = UInt8(exactly: getc(output)) { bytes.append(byte) }
        return pclose(output) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension String {
    /// Whether a title shows counts of the present filter: `12 records · …`, or `12 records so far, 40 % · …`.
    fileprivate var isAnswer: Bool { first?.isNumber == true }
    fileprivate var isWhole: Bool { isAnswer && !contains(" so far, ") }
}
