import Filter
import Foundation
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge

/// No content of a journal file may crash its reader, or cost it much time or memory. `make fuzz` runs this for minutes
/// with Address Sanitizer.
@Suite struct JournalFuzzTests {
    private static func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    @Test func `damaged files are read in all ways, and what is lost is told`() throws {
        let seconds = Self.setting("JOURNAL_FUZZ_SECONDS")
        let start = Self.setting("JOURNAL_FUZZ_SEED") ?? 7
        let count = UInt64(Stress.rounds(40, stress: 1000))
        var total = 0.0
        var counts = JournalFuzzer.Counts()
        var seed = start
        while !RunLimit.isOver, seconds.map({ total < Double($0) }) ?? (seed &- start < count) {
            var fuzzer = JournalFuzzer(seed: seed)
            let before = Self.largestSize()
            let cost = try Expense.seconds { try fuzzer.run() }
            counts.add(fuzzer.counts)
            total += cost
            if cost > Expense.maxSeconds { Issue.record("takes \(cost) s: \(fuzzer)") }
            // The size of the process is only meaningful if nothing else runs in it.
            if seconds != nil, Self.largestSize() - before > 256 << 20 { Issue.record("takes much memory: \(fuzzer)") }
            if let wrong = fuzzer.wrong { Issue.record("\(wrong): \(fuzzer)") }
            seed &+= 1
        }
        // Files that are all refused, or all sound, would exercise little.
        #expect(counts.refused < counts.files / 2)
        #expect(counts.gaps > counts.files / 10)
        #expect(counts.entries > counts.files)
        if seconds != nil { print("seeds \(start)..<\(seed): \(counts) in \(Int(total)) s") }
    }

    /// The peak memory size of the process in bytes.
    private static func largestSize() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }
}
