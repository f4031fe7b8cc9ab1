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
        writer.append(Self.entry(number))
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
        try files.open(journal) { count in
            guard count == 0 else { return }
            // As journald does when it rotates.
            #expect(rename(folder.file("system.journal").string, folder.file("system@2.journal").string) == 0)
            #expect(throws: Never.self) { try write("system.journal", 3) }
        }
        #expect(journal.files.map(\.lastSequence).sorted() == [1, 2, 3])
        #expect(files.takeGaps().isEmpty)
    }

    /// An entry whose message is its number.
    private static func entry(_ number: UInt64) -> JournalFileEntry {
        JournalFileEntry(
            sequence: number,
            realtime: 1_700_000_000_000_000 + number,
            monotonic: number,
            boot: JournalWriter.ID128(1, 1),
            fields: [Array("MESSAGE=\(number)".utf8)]
        )
    }

    @Test(
        "a file that names the source of its numbers with its first entry is followed, and numbers before it are missing",
        arguments: [UInt64(3), 6]
    )
    func settled(number: UInt64) throws {
        try write("system.journal", 1)
        try write("system@1.journal", 2)
        let reader = try JournalReader(.directory(folder.path.string), from: .head, follow: true)
        #expect(try Self.read(reader) == ["1", "2"])

        var form = JournalFileForm()
        (form.state, form.fileID) = (.online, JournalWriter.ID128(7, 7))
        let source = form.sequenceID
        form.sequenceID = form.fileID
        let path = URL(fileURLWithPath: folder.file("user-1000.journal").string)
        try Data(JournalFileWriter(form).bytes()).write(to: path)
        reader.hasRested()
        #expect(try Self.read(reader) == [])

        form.sequenceID = source
        var writer = JournalFileWriter(form)
        writer.append(Self.entry(number))
        let file = try FileHandle(forWritingTo: path)
        try file.write(contentsOf: writer.bytes())
        try file.close()
        #expect(try Self.read(reader) == (number == 3 ? [] : ["3 missing"]) + ["\(number)"])
    }

    /// The messages of what there is to read, and what is missing.
    private static func read(_ reader: JournalReader) throws -> [String] {
        var seen: [String] = []
        while true {
            switch try reader.advance() {
            case .entry: seen.append(reader.entry()?["MESSAGE"] ?? "nothing")
            case .gap(let gap): seen.append("\(gap.lost.map(String.init(describing:)) ?? "some") missing")
            case .busy: continue
            case .caughtUp, .end: return seen
            }
        }
    }

    @Test("a file that comes after the last of many listings is read when the folder is next scanned")
    func always() throws {
        let journal = MergedJournal()
        var files = JournalFiles(.directory(folder.path.string), follow: true)
        var written: UInt64 = 0
        try files.open(journal) { _ in
            written += 1
            #expect(throws: Never.self) { try write("system@\(written).journal", written) }
        }
        _ = files.rescanIfNeeded(journal)
        #expect(written > 1 && journal.files.map(\.lastSequence).sorted() == Array(1...written))
        #expect(!files.needsRescan)
    }

    @Test("a file whose name is not text is reported once", arguments: [false, true])
    func illegible(follow: Bool) throws {
        try write("system.journal", 1)
        try folder.shell(#"mv system.journal "$(printf 'caf\351.journal')"; touch "$(printf 'caf\351')""#)
        try write("system.journal", 2)
        let journal = MergedJournal()
        var files = JournalFiles(.directory(folder.path.string), follow: follow)
        try files.open(journal)
        #expect(journal.files.count == 1)
        let gaps = files.takeGaps()
        #expect(gaps.map(\.reason) == [.unreadable] && gaps.first?.path?.hasSuffix("/caf\u{FFFD}.journal") == true)
        try write("user-1.journal", 3)
        #expect(files.rescanIfNeeded(journal) == follow && files.takeGaps() == [])
    }

    @Test("a folder with machines' folders in it: followed to its end, and scanned only when names change")
    func machines() throws {
        let machine = "0123456789abcdef0123456789abcdef"
        try folder.shell("mkdir \(machine)")
        try write("\(machine)/system.journal", 1)
        let journal = MergedJournal()
        var files = JournalFiles(.directory(folder.path.string), follow: true)
        try files.open(journal)
        #expect(journal.files.count == 1 && !files.hasNotice)
        try write("\(machine)/user-1000.journal", 2)
        _ = files.rescanIfNeeded(journal)
        #expect(journal.files.count == 2 && !files.hasNotice)
        try folder.shell("rm -r \(machine)")
        #expect(files.hasNotice)
        _ = files.rescanIfNeeded(journal)
        #expect(!files.hasNotice)
    }
}
