import Filter
import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge

/// Writing entries out on several threads gives the same result as on one.
///
/// The journals are the same in each run. `BUSCTL_RX_SEED` writes another set.
@Suite("Writing a journal out on several threads")
struct JournalTextTests {
    /// What a subscription would send, read step by step.
    private struct Texts {
        var text: [UInt8] = []
        var gaps: [JournalGap] = []
        var largest = 0
        private var projection: TextProjection
        private let reader: JournalReader

        init(_ paths: [String], threads: Int, _ query: JournalQuery = .everything, forTerminal: Bool = false) throws {
            reader = try JournalReader(.files(paths), from: .head, follow: false, query: query, threads: threads)
            var style = JournalStyle(.json)
            style.isForTerminal = forTerminal
            projection = TextProjection(style)
        }

        /// Whether there is more.
        mutating func step() throws -> Bool {
            let step = try reader.advance()
            switch step {
            case .entry: if let text = projection.entry(in: reader) { take(text) }
            case .gap, .busy, .caughtUp, .end: takeGathered()
            }
            if case .gap(let gap) = step { gaps.append(gap) }
            return step != .end
        }

        mutating func takeGathered() { while let text = projection.gathered() { take(text) } }

        private mutating func take(_ text: JournalText) {
            switch text {
            case .entries(let bytes):
                self.text += bytes
                largest = max(largest, bytes.count)
            case .gap(let gap): gaps.append(gap)
            case .skipped, .caughtUp, .place: Issue.record("a journal does not send this by itself")
            }
        }

        /// Compared here, because a failed expectation would compute the difference of megabytes.
        func isText(of other: Texts) -> Bool { text == other.text }

        static func all(_ paths: [String], threads: Int, _ query: JournalQuery = .everything, forTerminal: Bool = false)
            throws -> Texts
        {
            var texts = try Texts(paths, threads: threads, query, forTerminal: forTerminal)
            while try texts.step() {}
            return texts
        }
    }

    @Test("the text is the same, byte for byte")
    func comparison() throws {
        for seed in Seeds.first(Stress.rounds(4, stress: 80)) {
            var generator = SearchGenerator(seed: seed)
            let journals = generator.journals()
            let folder = try TemporaryFolder()
            let paths = try journals.write(to: folder)
            let query = generator.random.chance(50) ? try JournalQuery.filter(generator.condition()) : .everything
            let forTerminal = generator.random.chance(30)
            let one = try Texts.all(paths, threads: 1, query, forTerminal: forTerminal)
            let several = try Texts.all(
                paths,
                threads: generator.random.number(2..<6),
                query,
                forTerminal: forTerminal
            )
            #expect(one.isText(of: several), "BUSCTL_RX_SEED=\(seed)\n\(journals)")
            #expect(several.gaps == [])
        }
    }

    @Test("damaged files yield the same entries and the same gaps")
    func damage() throws {
        var withGaps = 0
        for seed in Seeds.first(Stress.rounds(16, stress: 400)) {
            var generator = SearchGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let path = try generator.damagedFile(seed: seed, in: folder)
            guard let one = try? Texts.all([path], threads: 1) else { continue }
            let several = try Texts.all([path], threads: 3)
            #expect(one.isText(of: several), "BUSCTL_RX_SEED=\(seed)")
            func told(_ texts: Texts) -> [String] { texts.gaps.map(\.description).sorted() }
            #expect(told(one) == told(several), "BUSCTL_RX_SEED=\(seed)")
            if !one.gaps.isEmpty { withGaps += 1 }
        }
        if getenv("BUSCTL_RX_SEED") == nil { #expect(withGaps > 3) }
    }

    /// How a file disappears while it is read.
    enum Loss: CaseIterable {
        case zeroed, deleted, truncated

        func strike(_ path: String) throws {
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            if self == .truncated {
                #expect(ftruncate(descriptor, 4096) == 0)
                return
            }
            let zeros = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
            #expect(pwrite(descriptor, zeros, zeros.count, 0) == zeros.count)
            if self == .deleted { unlink(path) }
        }

        var reason: JournalGap.Reason {
            switch self {
            case .zeroed: .damaged
            case .deleted: .deleted
            case .truncated: .truncated
            }
        }
    }

    @Test(
        "entries that disappear before they are written out are counted",
        arguments: Loss.allCases,
        [1, 3]
    )
    func lost(loss: Loss, threads: Int) throws {
        let folder = try TemporaryFolder()
        let count = 100
        // So large that the reader no longer holds the entries it found first.
        let path = try write(count, to: folder) { _ in 60_000 }
        var texts = try Texts([path], threads: threads)
        for _ in 0..<50 { _ = try texts.step() }
        try loss.strike(path)
        while try texts.step() {}
        let messages = try texts.text.split(separator: UInt8(ascii: "\n")).map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])["MESSAGE"] as? String
        }
        let found = messages.compactMap { $0.flatMap { Int($0) } }
        #expect(found.count == messages.count)
        #expect(found == found.sorted())
        #expect(found.count + texts.gaps.reduce(0) { $0 + ($1.lost ?? 0) } == count)
        #expect(texts.gaps.contains { $0.reason == loss.reason })
        // With one thread, each entry found is written at once.
        #expect(threads == 1 ? found.count >= 50 : found.count < 50)
    }

    @Test("more values that entries share than the reader holds at first are written right, and so by several threads")
    func sharedValues() throws {
        let folder = try TemporaryFolder()
        let count = 26_000
        let shared = { (number: Int) in "SHARED=\(number % count)" }
        let path = try write(2 * count, to: folder, shared: shared) { _ in 0 }
        let one = try Texts.all([path], threads: 1)
        #expect(one.isText(of: try Texts.all([path], threads: 3)))
        let lines = one.text.split(separator: 0x0A)
        try #require(lines.count == 2 * count)
        let wrong = zip(1..., lines).first { number, line in
            !String(decoding: line, as: UTF8.self).contains(#""SHARED":"\#(number % count)""#)
        }
        #expect(wrong == nil)
    }

    @Test("a file that the reader has released is closed, even if several threads wrote its entries")
    func closedFile() throws {
        let folder = try TemporaryFolder()
        let path = try write(500, to: folder) { _ in 10 }
        let reader = try JournalReader(.files([path]), from: .head, follow: false, threads: 3)
        var projection = TextProjection(JournalStyle(.json))
        while try reader.advance() != .end { _ = projection.entry(in: reader) }
        while projection.gathered() != nil {}
        weak let descriptor = reader.journal.files.first?.openDescriptor
        for file in reader.journal.files { reader.journal.remove(file) }
        // A thread may hold its finished batch for a moment.
        try Deadline.wait("the file to be closed") { descriptor == nil }
        withExtendedLifetime((reader, projection)) {}
    }

    @Test("large entries arrive one after the other, not all at once")
    func largeEntries() throws {
        let folder = try TemporaryFolder()
        let size = 300_000
        let path = try write(100, to: folder) { $0 % 3 == 0 ? size : 0 }
        let one = try Texts.all([path], threads: 1)
        let several = try Texts.all([path], threads: 3)
        #expect(one.isText(of: several))
        #expect(several.text.count > 33 * size)
        #expect(several.largest < 3 * size)
    }

    /// A file of entries with numbers as messages, a field of some size, and one that other entries may have, too.
    private func write(
        _ count: Int,
        to folder: TemporaryFolder,
        shared: (Int) -> String = { _ in "SHARED=" },
        size: (Int) -> Int
    ) throws -> String {
        var writer = JournalFileWriter(JournalFileForm())
        for number in 1...count {
            let large = Array("LARGE=\(number)".utf8) + [UInt8](repeating: 0x61, count: size(number))
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: UInt64(number),
                    monotonic: UInt64(number),
                    boot: ID128(1, 1),
                    fields: [
                        Array("_BOOT_ID=\(ID128(1, 1))".utf8), Array("MESSAGE=\(number)".utf8),
                        Array(shared(number).utf8), large,
                    ]
                )
            )
        }
        let path = folder.path("large.journal")
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: path))
        return path
    }
}
