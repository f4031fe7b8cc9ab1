import Foundation
import TestSupport
import Testing

@testable import JournalBridge

/// The test journals of systemd: 7 of a machine without a clock, and 622 made by a fuzzer. libsystemd 252 rejects most
/// of these, and one makes it end the process.
@Suite(
    "The test journals of systemd",
    .enabled(if: JournalFixtures.areThere, "`make stress` fetches them, by Scripts/fixtures.sh"),
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl")
)
struct JournalFixtureTests {
    @Test("a damaged one is read with every entry that journalctl reads, and losses are reported")
    func damaged() throws {
        let paths = try JournalFixtures.files(in: "") + JournalFixtures.files(in: "corrupted")
        #expect(paths.count > 600)
        for path in paths {
            let file = URL(fileURLWithPath: path).lastPathComponent
            let theirs = Set(try DamageComparison.cursorsOfJournalctl(path) ?? [])
            let reader: ReaderWalk
            do {
                reader = try ReaderWalk(files: [path])
            } catch is JournalError {
                #expect(theirs == [], "\(file) is refused")
                continue
            }
            let cursors = reader.cursors()
            #expect(Set(cursors).count == cursors.count, "\(file): an entry is read twice")
            #expect(theirs.subtracting(cursors) == [], "\(file): journalctl reads more")
            let counted = try JournalFixtures.count(in: path)
            #expect(cursors.count >= counted || reader.hasGaps(), "\(file): entries are lost in silence")
            #expect(try ReaderWalk(files: [path]).cursors(.backward) == cursors.reversed(), "\(file)")
        }
    }

    @Test("missing entries in journals of a machine that lost power are counted")
    func counted() throws {
        let paths = try JournalFixtures.files(in: "no-rtc")
        #expect(paths.count == 7)
        for path in paths {
            let reader = try ReaderWalk(files: [path])
            let cursors = reader.cursors()
            let told = reader.takeGaps().compactMap(\.lost).reduce(0, +)
            #expect(try cursors.count + told == JournalFixtures.count(in: path), "\(path)")
            #expect(try cursors == DamageComparison.cursorsOfJournalctl(path), "\(path)")
        }
        let merged = try ReaderWalk(files: paths).cursors()
        let folder = try #require(paths.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
        #expect(try merged == DamageComparison.cursorsOfJournalctl(folder, option: "--directory"))
    }
}

/// The path and the contents of the fixtures.
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
    static func count(in path: String) throws -> Int {
        let file = try JournalFile(path, number: 0, memory: FileMemory(isSmall: true))
        return Int(clamping: file.header.entryCount)
    }
}
