import Bus
import BusTesting
import FileBridge
import SystemPackage
import TestSupport
import Testing

/// A daemon that writes numbered lines, a logrotate that moves its files away or truncates them, and an observer that
/// pauses at random.
@Suite("Random logs")
struct RandomLogTests {
    typealias Lines = PausedListening<FileItem, FileReadError>

    /// Writes a random log to its end. The last line is `end`. Returns how many numbered lines it has.
    private func write(
        _ path: FilePath,
        _ random: inout SeededGenerator,
        truncates: Bool,
        between: (inout SeededGenerator) -> Void
    ) throws -> Int {
        let log = try LogFile(path)
        var number = 0
        var rotations = 0
        for _ in 0..<Stress.rounds(300, stress: 1_000) {
            switch random.number(0..<10) {
            case 0 where truncates, 1 where truncates: try log.truncate()
            case 0, 1:
                // Shifts the names like logrotate.
                if random.chance(50), rotations > 0 {
                    try LogFile.rename(FilePath("\(path).\(rotations)"), FilePath("\(path).\(rotations).old"))
                }
                rotations += 1
                try log.move(to: ".\(rotations)")
                // The daemon does not notice it yet.
                if random.chance(50) {
                    try LogFile.make(path)
                    try log.write("\(number)\n")
                    number += 1
                }
                try log.reopen()
            default:
                let text = (0..<random.number(1..<200)).map { "\(number + $0)" }
                number += text.count
                // Sometimes less than a line at a time.
                let bytes = Array((text.joined(separator: "\n") + "\n").utf8)
                let cut = random.number(0..<bytes.count)
                try log.write(bytes: Array(bytes[..<cut]))
                try log.write(bytes: Array(bytes[cut...]))
            }
            between(&random)
        }
        try log.write("end\n")
        return number
    }

    private func hear(truncates: Bool, seed: UInt64) throws -> (items: [FileItem], written: Int) {
        var random = SeededGenerator(seed)
        let folder = try TestFolder()
        let path = folder.file("log")
        // A truncation is noticed only after something was read.
        if truncates || random.chance(50) { try LogFile.make(path, truncates ? "begin\n" : "") }
        let heard = Lines(Signals.lines(following: path, from: .head), after: 1)
        // The initial content has been noticed.
        try heard.waitForPause()
        let written = try write(path, &random, truncates: truncates) { random in
            if random.chance(30) { heard.release(random.number(1..<4)) }
        }
        heard.release()
        try heard.wait("the end") { $0.values.last { $0.lines != nil }?.lines?.text.last == "end" }
        heard.dispose()
        #expect(heard.recorder.violations == [] && heard.overrun == 0 && heard.lost == 0)
        return (heard.values, written)
    }

    /// Where the lines are not these numbers and `end`, and between which places of files that is.
    private func firstFault(in items: [FileItem], of written: Int) -> String? {
        var next = 0
        var before: FilePlace?
        for case .lines(let lines) in items {
            for line in lines.text {
                guard line == (next < written ? "\(next)" : "end"), next <= written else {
                    return "\(line) for \(next), up to \(lines.place, default: "?"), behind \(before, default: "?")"
                }
                next += 1
            }
            before = lines.place
        }
        return next == written + 1 ? nil : "\(next) lines of \(written + 1)"
    }

    @Test("rotated by rename: nothing is lost or repeated, and everything is in order")
    func rotated() throws {
        for seed in 0..<UInt64(Stress.rounds(6, stress: 60)) {
            var (items, written) = try hear(truncates: false, seed: seed)
            // Other tests had taken all inotify instances, so the path was only looked at now and then.
            while items.gaps.contains(FileGap(.gone)) { (items, written) = try hear(truncates: false, seed: seed) }
            #expect(firstFault(in: items, of: written) == nil, "seed \(seed)")
            #expect(items.gaps == [], "seed \(seed)")
        }
    }

    @Test("truncated: missing lines are reported as a gap, and nothing is repeated")
    func truncated() throws {
        for seed in 100..<UInt64(100 + Stress.rounds(6, stress: 60)) {
            let (items, written) = try hear(truncates: true, seed: seed)
            var next = 0
            var mayMiss = false
            for (index, item) in items.enumerated() {
                if case .gap = item { mayMiss = true }
                var lines = item.lines?.text ?? []
                // The part that was read of a truncated line comes before the gap.
                if index + 1 < items.count, case .gap = items[index + 1], let last = item.lines?.bytes.last, last != 10
                {
                    lines.removeLast()
                }
                for line in lines where line != "end" && line != "begin" {
                    let number = try #require(Int(line), "\(line), seed \(seed)")
                    #expect(number == next || number > next && mayMiss, "\(number) for \(next), seed \(seed)")
                    next = number + 1
                    mayMiss = false
                }
            }
            #expect(next == written || mayMiss)
        }
    }
}
