import Glibc
import JournalWriter
import TestSupport
import Testing

/// Random journals. The reader goes through them as libsystemd does, step by step.
///
/// `BUSCTL_RX_SEED` repeats one set of journals.
@Suite("Journals read as libsystemd reads them")
struct JournalComparisonTests {
    @Test("entries, cursors, times, fields and matches are libsystemd's in both directions and after any seek")
    func comparison() throws {
        let asked = getenv("BUSCTL_RX_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = asked ?? UInt64.random(in: 0...UInt64.max)
        let count = asked == nil ? UInt64(Stress.rounds(60, stress: 2_500)) : 1
        var ordered = 0
        for offset in 0..<count where !RunLimit.isOver {
            let comparison = JournalComparison(seed: seed &+ offset)
            if comparison.journals.isOrdered { ordered += 1 }
            guard let difference = try comparison.difference({ try ReaderWalk(files: $0) }) else { continue }
            Issue.record("\(difference)")
            return
        }
        #expect(ordered > count / 2 || asked != nil, "most journals are out of order, so no search is compared")
    }

    @Test("a reader with any of these faults is detected", arguments: FaultyWalk.Fault.allCases)
    func faults(_ fault: FaultyWalk.Fault) throws {
        let found = try (UInt64(0)..<100).contains { seed in
            try JournalComparison(seed: seed).difference { try FaultyWalk(files: $0, fault) } != nil
        }
        #expect(found, "\(fault) is not found in a hundred sets of journals")
    }
}
