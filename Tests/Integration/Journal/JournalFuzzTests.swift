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

    /// What arithmetic overflows with, and what looks like a size or an offset. Most are no multiple of 8 or 16, some are.
    /// A run without stress tries the first four.
    private static let extremes: [UInt64] = [
        .max - 15, .max, 0, 1 << 63,
        .max - 31, .max - 7, 1 << 63 - 16, 1 << 63 - 8, 1 << 63 - 1, 1 << 62, 1 << 32 - 1, 1 << 31, 64, 16, 15, 1,
    ]

    @Test(arguments: [false, true])
    func `each number of a file may be any number`(isCompact: Bool) throws {
        var form = JournalFileForm()
        form.isCompact = isCompact
        // A search in arrays of one slot takes several steps.
        form.arrayCapacity = .fixed(1)
        let bytes = HostileJournalTests.writer(4, form).bytes()
        let file = try MemoryFile(bytes)
        let cursors = try ReaderWalk(files: [file.path]).cursors()
        #expect(cursors.count == 4)
        var walks: [[WalkStep]] = [
            [.seekTail, .previous, .previous, .next], [.seekHead, .next, .next, .previous],
        ]
        for time in [0, 2, 3, 1 << 63, .max] as [UInt64] {
            walks.append([.seekRealtime(time), .previous, .seekRealtime(time), .next])
        }
        for cursor in cursors { walks.append([.seekCursor(cursor), .testCursor(cursor), .previous, .next, .next]) }
        let matches = [Match.everything, .term(field: "SAME", value: Array("1".utf8))]
        let ways = matches.flatMap { match in walks.map { JournalPath(match: match, steps: $0) } }
        var entries = 0
        for offset in stride(from: 8, to: bytes.count, by: 8) {
            let word = bytes[offset..<offset + 8]
            // Most buckets of the tables are empty.
            if offset >= form.headerSize, word.allSatisfy({ $0 == 0 }) { continue }
            for number in Self.extremes.prefix(Stress.rounds(4, stress: Self.extremes.count)) {
                var damaged = bytes
                for index in 0..<8 { damaged[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
                try file.write(damaged)
                do {
                    for way in ways { try ReaderWalk(files: [file.path]).walk(way) }
                    entries += try ReaderWalk(files: [file.path]).cursors(.backward, limit: 100).count
                    let source = JournalSource.files([file.path])
                    _ = try FieldNames.all(in: source, readingEntries: true)
                    try FieldValues.forEach(of: "SAME", in: source) { _ in }
                    _ = try JournalBoot.all(in: source)
                    _ = try UnitInvocation.all(of: .system("a.service"), in: source)
                } catch is JournalError {
                    // Refused as no journal, or as one that is too damaged.
                }
            }
        }
        #expect(entries > 300)
    }

    /// The peak memory size of the process in bytes.
    private static func largestSize() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }
}
