import Foundation
import TestSupport
import Testing

@Suite("busctl-rx tail prints statistics")
struct CommandLineStatisticsTests {
    /// The last line of statistics, by name.
    private func statistics(_ errors: String) -> [String: String] {
        let line = errors.split(separator: "\n").last { $0.hasPrefix("busctl-rx: elapsed=") } ?? ""
        let pairs = line.dropFirst("busctl-rx: ".count).split(separator: " ").map {
            $0.split(separator: "=", maxSplits: 1)
        }
        return Dictionary(pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }) { $1 }
    }

    @Test("at the end, for lines, with and without a filter", arguments: [nil, "message != 'b'"])
    func lines(filter: String?) throws {
        let ended = try TailProcess.run(
            ["tail", "--from", "lines:-", "-o", "cat", "--stats"] + (filter.map { [$0] } ?? []),
            input: Data("a\nb\nc\n".utf8)
        )
        #expect(ended.status == 0 && ended.output == (filter == nil ? "a\nb\nc\n" : "a\nc\n"))
        let said = statistics(ended.errors)
        #expect(said["read"] == "3" && said["matched"] == (filter == nil ? "3" : "2"), "\(ended.errors)")
        #expect(said["undecided"] == "0" && said["late"] == "0" && said["lost"] == "0" && said["held_back"] == "0")
        #expect(said["elapsed"]?.hasSuffix("s") == true && said["rate"]?.hasSuffix("/s") == true)
    }

    @Test("for a journal, and for records held back by time operators")
    func journal() throws {
        let stream = SyntheticJournal.export((1...9).map { [("MESSAGE", Array("\($0)".utf8))] })
        let tail = ["tail", "--from", "export:-", "-o", "cat", "--stats"]
        let whole = try TailProcess.run(tail + ["-n", "2", "message > '4'"], input: stream)
        #expect(whole.output == "8\n9\n" && statistics(whole.errors)["matched"] == "5", "\(whole)")
        #expect(statistics(whole.errors)["read"] == "9", "\(whole)")
        let held = try TailProcess.run(tail + ["--throttle", "1h"], input: stream)
        #expect(held.output == "1\n9\n" && statistics(held.errors)["held_back"] == "7", "\(held)")
    }

    @Test("whenever SIGUSR1 asks, even while nobody reads the output")
    func asking() throws {
        let tail = try TailProcess(["tail", "--from", "every:1ms", "--template", "tick {sequence};", "--stats"])
        try tail.wait(forOutput: "tick 1;")
        tail.send(SIGUSR1)
        try tail.wait(forErrors: "busctl-rx: elapsed=")
        tail.send(SIGUSR1)
        tail.send(SIGTERM)
        let ended = try tail.end()
        #expect(ended.status == -SIGTERM && statistics(ended.errors)["matched"] != "0", "\(ended)")
        let blocked = try TailProcess(["tail", "--from", "every:1us", "--stats"])
        try blocked.waitUntilOutputIsFull()
        blocked.send(SIGUSR1)
        try blocked.wait(forErrors: "busctl-rx: elapsed=")
        blocked.send(SIGKILL)
        try blocked.end(reading: false)
    }
}
