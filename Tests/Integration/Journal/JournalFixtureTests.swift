import Foundation
import TestSupport
import Testing

@testable import JournalBridge

/// The journals that systemd tests itself with: 7 of a machine without a clock, and 622 that were made by a fuzzer, of which
/// libsystemd 252 drops most and ends the process for one.
@Suite(
    "The journals that systemd tests itself with",
    .enabled(if: JournalFixtures.areThere, "`make stress` fetches them, by Scripts/fixtures.sh"),
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl")
)
struct JournalFixtureTests {
    @Test("a damaged one is read with each entry that journalctl reads, and what is lost is told")
    func damaged() throws {
        let paths = try JournalFixtures.files(in: "") + JournalFixtures.files(in: "corrupted")
        #expect(paths.count > 600)
        for path in paths {
            let file = URL(fileURLWithPath: path).lastPathComponent
            guard let read = try JournalFixtures.Read(files: [path]) else {
                // A file that was refused by name has lost nothing in silence.
                #expect(try DamageComparison.cursorsOfJournalctl(path) ?? [] == [], "\(file) is refused")
                continue
            }
            #expect(Set(read.cursors).count == read.cursors.count, "\(file): an entry is read twice")
            let theirs = Set(try DamageComparison.cursorsOfJournalctl(path) ?? [])
            #expect(theirs.subtracting(read.cursors) == [], "\(file): journalctl reads more")
            let counted = try JournalFixtures.count(in: path)
            #expect(UInt64(read.cursors.count) >= counted || !read.gaps.isEmpty, "\(file): entries are lost in silence")
            #expect(try JournalFixtures.cursorsBackwards([path]) == read.cursors.reversed(), "\(file)")
        }
    }

    @Test("what is missing in journals of a machine that lost power is counted")
    func counted() throws {
        let paths = try JournalFixtures.files(in: "no-rtc")
        #expect(paths.count == 7)
        for path in paths {
            let read = try #require(try JournalFixtures.Read(files: [path]))
            let told = read.gaps.compactMap(\.lost).reduce(0, +)
            #expect(try UInt64(read.cursors.count + told) == JournalFixtures.count(in: path), "\(path)")
            #expect(try read.cursors == DamageComparison.cursorsOfJournalctl(path), "\(path)")
        }
        let merged = try #require(try JournalFixtures.Read(files: paths))
        let folder = try #require(paths.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
        #expect(try merged.cursors == DamageComparison.cursorsOfJournalctl(folder, option: "--directory"))
    }
}

/// Where the fixtures are, and what is in them.
private enum JournalFixtures {
    /// The tests run in the package's folder.
    private static let folder = ".build/fixtures"
    static let areThere = FileManager.default.fileExists(atPath: folder)

    static func files(in subfolder: String) throws -> [String] {
        let folder = subfolder.isEmpty ? folder : "\(folder)/\(subfolder)"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
            .filter { path in
                var isDirectory: ObjCBool = false
                return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            }
    }

    /// How many entries a file's header counts.
    static func count(in path: String) throws -> UInt64 {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        return bytes.dropFirst(152).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What there is, read forwards.
    struct Read {
        var cursors: [String] = []
        var gaps: [JournalGap] = []

        /// `nil` where the journal is refused.
        init?(files: [String]) throws {
            let journal: MergedJournal
            do {
                journal = try MergedJournal(files: files)
            } catch {
                return nil
            }
            journal.seekHead()
            while journal.next() {
                // Each field is read, too.
                journal.forEachField { _ in true }
                cursors.append(journal.cursor)
            }
            gaps = journal.takeGaps()
        }
    }

    static func cursorsBackwards(_ files: [String]) throws -> [String] {
        let journal = try MergedJournal(files: files)
        var cursors: [String] = []
        journal.seekTail()
        while journal.previous() { cursors.append(journal.cursor) }
        return cursors
    }
}
