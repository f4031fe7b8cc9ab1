import Filter
import Glibc
import JournalBridge
import JournalWriter
import TestSupport
import Testing

/// Randomly damaged files: some at random places, some at sensitive ones.
///
/// The damage is the same in each run. In the longer forms of `make stress` it differs each time, to find unknown
/// faults. `BUSCTL_RX_SEED` repeats the damage of one file.
@Suite(
    "What is left of damaged journals is read",
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl")
)
struct JournalDamageComparisonTests {
    @Test("a damaged file is read to its end, with every entry that journalctl reads")
    func damage() throws { try compare(isLoss: false) }

    @Test(
        "damage that once caused lost entries",
        arguments: [13_110_699_922_064_862_136, 3_946_692_679_905_014_538] as [UInt64]
    )
    func known(seed: UInt64) throws {
        let comparison = DamageComparison(seed: seed, isLoss: false)
        if let difference = try comparison.difference({ try read($0, comparison) }) { Issue.record("\(difference)") }
    }

    @Test("lost entries are reported as gaps, and the others are read")
    func loss() throws { try compare(isLoss: true) }

    @Test("a reader that silently omits entries is detected, and so is one that reads less than journalctl")
    func faults() throws {
        let silent = try (UInt64(0)..<50).contains { seed in
            try DamageComparison(seed: seed, isLoss: true).difference { path in
                let cursors = try DamageComparison.cursorsOfJournalctl(path)
                return DamageComparison.Read(cursors: cursors ?? [], hasGaps: cursors == nil)
            } != nil
        }
        #expect(silent)
        let less = try (UInt64(0)..<50).contains { seed in
            try DamageComparison(seed: seed, isLoss: false).difference { path in
                let cursors = try DamageComparison.cursorsOfJournalctl(path) ?? []
                return DamageComparison.Read(cursors: cursors.dropLast(), hasGaps: true)
            } != nil
        }
        #expect(less)
    }

    private func compare(isLoss: Bool) throws {
        let asked = getenv("BUSCTL_RX_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = asked ?? (Stress.isLong ? UInt64.random(in: 0...UInt64.max) : 0)
        let count = asked == nil ? UInt64(Stress.rounds(50, stress: 500)) : 1
        for offset in 0..<count where !RunLimit.isOver {
            let comparison = DamageComparison(seed: seed &+ offset, isLoss: isLoss)
            guard let difference = try comparison.difference({ try read($0, comparison) }) else { continue }
            Issue.record("\(difference)")
            return
        }
    }

    /// Reads the file forwards and then moves about in it in all the ways in which sound files are read.
    private func read(_ path: String, _ comparison: DamageComparison) throws -> DamageComparison.Read {
        let reader: ReaderWalk
        do {
            reader = try ReaderWalk(files: [path])
        } catch is JournalError {
            return DamageComparison.Read(cursors: [], hasGaps: true)
        }
        // A reader that goes round in circles reads an entry twice.
        let cursors = reader.cursors(limit: 2 * comparison.file.entries.count + 100)
        var walks = WalkGenerator(GeneratedJournals(files: [comparison.file]), seed: comparison.seed)
        for way in walks.paths() { try ReaderWalk(files: [path]).walk(way) }
        return DamageComparison.Read(cursors: cursors, hasGaps: reader.hasGaps())
    }
}
