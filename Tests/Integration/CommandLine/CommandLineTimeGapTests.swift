import Foundation
import Testing

@Suite("busctl-rx tail --time-gap writes a line between records that are far apart")
struct CommandLineTimeGapTests {
    /// Entries the given numbers of seconds after the first one; without a message for a missing number.
    private static func stream(_ entries: [(seconds: Double, message: String?)]) -> Data {
        entries.reduce(into: Data()) { data, entry in
            data += Data("__REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + Int(entry.seconds * 1_000_000))\n".utf8)
            data += Data("__MONOTONIC_TIMESTAMP=1\n_BOOT_ID=\(SyntheticJournal.boot)\nOTHER=x\n".utf8)
            data += Data((entry.message.map { "MESSAGE=\($0)\n" } ?? "").utf8) + Data("\n".utf8)
        }
    }

    private static let entries = stream([
        (0, "a"), (1, "b"), (2.5, "c"), (194.5, "d"), (200, nil), (386.5, "e"), (380, "f"), (7_600, "g"),
        (7_600 + 3 * 86_400, "h"), (7_600 + 3 * 86_400 + 7_200.25, "i"),
    ])

    private func run(_ arguments: String..., input: Data = entries) throws -> String {
        let ended = try TailProcess.run(["tail", "--from", "export:-"] + arguments, input: input)
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
        return ended.output
    }

    @Test("the line has the length of the gap between records shown")
    func lines() throws {
        let shown =
            "a\nb\n-- 1s 500ms --\nc\n-- 3min 12s --\nd\n-- 3min 12s --\ne\n-- 6s 500ms back --\nf\n-- 2h --\ng\n"
            + "-- 3d --\nh\n-- 2h --\ni\n"
        #expect(try run("-ocat", "--time-gap", "1s") == shown)
        #expect(try run("--template", "{message}", "--time-gap", "1s", "has(MESSAGE)") == shown)
        let long = shown.replacing("-- 1s 500ms --\n", with: "").replacing("-- 6s 500ms back --\n", with: "")
        #expect(try run("-ocat", "--time-gap", "1m") == long)
        for format in ["short", "short-monotonic", "with-unit"] {
            let lines = try run("-o", format, "--no-hostname", "--time-gap", "1m").split(separator: "\n")
            #expect(lines.map { $0.replacing(#/^.*unknown: /#, with: "") } == long.split(separator: "\n"))
        }
        let verbose = try run("-o", "verbose", "--time-gap", "2h").split(separator: "\n").filter { !$0.hasPrefix("  ") }
        // An entry without a message is shown there.
        #expect(verbose.filter { $0.hasPrefix("--") } == ["-- 2h --", "-- 3d --", "-- 2h --"])
        #expect(verbose.count == 13)
    }

    @Test("between records of all sources, and in the context of a match")
    func records() throws {
        let lines = ["2026-11-24T00:00:00Z a", "2026-11-24T00:00:01Z b", "2026-11-24T01:02:03Z c"]
        let ended = try TailProcess.run(
            ["tail", "--from", "lines:-", "-ocat", "--time-gap", "1m", "-C", "1", "message.endsWith('c')"],
            input: Data(lines.map { $0 + "\n" }.joined().utf8)
        )
        #expect(ended == .init(status: 0, output: "\(lines[1])\n-- 1h 2min --\n\(lines[2])\n", errors: ""))
    }

    @Test("the largest possible distance between times is handled")
    func extremes() throws {
        let text = ["0", "9223372036854775807", "1"].map { "__REALTIME_TIMESTAMP=\($0)\nMESSAGE=x\n\n" }.joined()
        let shown = try run("-ocat", "--time-gap", "36500d", input: Data(text.utf8))
        #expect(shown == "x\n-- 106751991d 4h --\nx\n-- 106751991d 4h back --\nx\n")
    }
}
