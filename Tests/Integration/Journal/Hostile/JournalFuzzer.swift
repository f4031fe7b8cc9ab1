import Filter
import JournalWriter

@testable import JournalBridge
import TestSupport
import Records

/// Writes a journal file, damages it, and reads it in all ways.
struct JournalFuzzer: CustomStringConvertible {
    struct Counts {
        var files = 0
        var refused = 0
        var entries = 0
        var gaps = 0

        mutating func add(_ other: Counts) {
            files += other.files
            refused += other.refused
            entries += other.entries
            gaps += other.gaps
        }
    }

    private(set) var counts = Counts()
    /// Rules that the reader broke.
    private(set) var wrong: String?

    private let seed: UInt64
    private var random: SeededGenerator
    private let file: GeneratedJournals.File
    private var damage: JournalDamage
    private let isLoss: Bool

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed)
        var generator = JournalGenerator(seed: seed)
        let files = generator.journals().files
        var file = files.max { $0.entries.count < $1.entries.count } ?? files[0]
        file.form.state = random.pick(JournalFileForm.State.allCases)
        self.file = file
        damage = JournalDamage(file.writer, seed: seed)
        isLoss = random.chance(25)
        if isLoss { damage.lose() } else { for _ in 0..<random.number(1..<6) { damage.strike() } }
    }

    var description: String {
        (["JOURNAL_FUZZ_SEED=\(seed)", "\(file)"] + damage.told).joined(separator: "\n")
    }

    mutating func run() throws {
        counts.files += 1
        let memory = try MemoryFile(damage.bytes)
        do {
            let journal = try MergedJournal(files: [memory.path])
            readForwards(journal)
            readBackwards(journal)
            try walkAbout(memory.path)
            try readAsUsersDo(memory.path)
            try change(memory, journal)
        } catch is JournalError {
            counts.refused += 1
        }
    }

    private mutating func readForwards(_ journal: MergedJournal) {
        var read = HostileRead()
        read.take(journal)
        counts.entries += read.sequences.count
        counts.gaps += read.gaps.count
        let isDescending = zip(read.places, read.places.dropFirst()).contains { $0 >= $1 }
        if isDescending { wrong = "reads an entry before another" }
        if read.gaps.filter({ $0.reason == .fields }).count > 1 { wrong = "tells twice of fields" }
        // If a file is too small for the number of entries in its header, the damage is reported without a number of
        // entries.
        let isCounted = read.gaps.allSatisfy { $0.reason == .fields || $0.lost != nil }
        if isLoss, isCounted, file.isSequential, read.sequences.count + read.lost != file.entries.count {
            wrong = "tells that \(read.lost) are missing to \(read.sequences.count) of \(file.entries.count)"
        }
    }

    private mutating func readBackwards(_ journal: MergedJournal) {
        journal.seekTail()
        var count = 0
        while journal.previous() {
            journal.forEachField { _ in true }
            count += 1
        }
        journal.seekHead()
        while journal.next() { count -= 1 }
        if journal.takeGaps().contains(where: { $0.reason != .fields }) { wrong = "tells a loss twice" }
        if count != 0, Self.isAscending(journal) { wrong = "reads \(count) entries more backwards than forwards" }
    }

    /// Whether no entry of the file is hidden by the sequence numbers of another file.
    private static func isAscending(_ journal: MergedJournal) -> Bool {
        guard let file = journal.files.first else { return true }
        let sequences = (0..<file.entries.count).map { index in
            file.entries.offset(at: index, file).flatMap { file.entry(at: $0, .spot) }?.sequence ?? 0
        }
        return zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }
    }

    private func walkAbout(_ path: String) throws {
        var walks = WalkGenerator(GeneratedJournals(files: [file]), seed: seed)
        for way in walks.paths() { try ReaderWalk(files: [path]).walk(way) }
    }

    private mutating func readAsUsersDo(_ path: String) throws {
        let expression = random.pick(["PRIORITY < 3", "MESSAGE.contains('age')", "has(TAG) && TAG == '1'", "pid == 3"])
        let first = file.entries.first?.realtime ?? 0
        let starts = [
            JournalStart.head, .tail(random.number(0..<30)), .time(RecordTime(microseconds: Int64(clamping: first))),
        ]
        let ways = [JournalRetreat(), JournalRetreat(from: .time(first + 1000), since: first)].map {
            JournalCourse.back($0)
        }
        let courses = starts.map { JournalCourse.onward(from: $0, follow: false) } + ways
        let format = random.pick([JournalFormat.json, .short, .cat])
        for query in [.everything, try JournalQuery.filter(expression)] {
            let reader = try JournalReader(.files([path]), random.pick(courses), query: query)
            var formatter = JournalFormatter(format)
            var output = OutputBuffer()
            reading: while true {
                switch try reader.advance() {
                case .entry: _ = reader.format(with: &formatter, into: &output)
                case .gap, .busy, .caughtUp: break
                case .end: break reading
                }
            }
        }
    }

    /// The file is damaged further, shortened or extended while it is open.
    private mutating func change(_ memory: MemoryFile, _ journal: MergedJournal) throws {
        for _ in 0..<3 {
            journal.seekHead()
            for _ in 0..<random.number(0..<20) where journal.next() { journal.forEachField { _ in true } }
            damage.strike()
            try memory.write(damage.bytes)
            if random.chance(30) { try memory.resize(to: random.number(0..<damage.bytes.count * 2 + 1)) }
            if random.chance(50) { for file in journal.files { file.refresh(force: random.chance(50)) } }
            while random.chance(50) ? journal.next() : journal.previous() { journal.forEachField { _ in true } }
            _ = journal.takeGaps()
        }
    }
}

extension GeneratedJournals.File {
    /// Whether no entry is hidden by another: each has a higher number than the one before.
    fileprivate var isSequential: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.sequence < $1.sequence } }
}
