import Foundation
import JournalWriter
import SystemPackage
import TestSupport
import Testing

@testable import JournalBridge

@Suite("The files of a journal")
struct JournalFilesTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Writes a file with one entry.
    private func write(_ name: String, _ number: UInt64) throws {
        var writer = JournalFileWriter(JournalFileForm())
        writer.append(
            JournalFileEntry(
                sequence: number,
                realtime: 1_700_000_000_000_000 + number,
                monotonic: number,
                boot: JournalWriter.ID128(1, 1),
                fields: [Array("MESSAGE=\(number)".utf8)]
            )
        )
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.file(name).string))
    }

    @Test(
        "a file that is renamed, and replaced, while its folder is listed is read all the same",
        arguments: [false, true]
    )
    func renamed(follow: Bool) throws {
        try write("system@1.journal", 1)
        try write("system.journal", 2)
        let journal = MergedJournal()
        var files = JournalFiles(.directory(folder.path.string), follow: follow)
        try files.open(journal) {
            // As journald does when it rotates.
            #expect(rename(folder.file("system.journal").string, folder.file("system@2.journal").string) == 0)
            #expect(throws: Never.self) { try write("system.journal", 3) }
        }
        #expect(journal.files.map(\.lastSequence).sorted() == [1, 2, 3])
        #expect(files.takeGaps().isEmpty)
    }
}
