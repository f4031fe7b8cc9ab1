import Foundation
import JournalWriter
import TestSupport
import Testing

@Suite("Journal files written for tests", .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl"))
struct JournalWriterTests {
    @Test("journalctl finds nothing wrong with a file of any form", arguments: Self.forms)
    func verification(_ form: JournalFileForm) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("test.journal")
        try Data(Self.file(form).writer.bytes()).write(to: URL(fileURLWithPath: path))
        let result = try Command.run("/usr/bin/journalctl", ["--verify", "--file", path])
        #expect(result.status == 0)
    }

    @Test("libsystemd reads the entries that were written, in any form", arguments: Self.forms + Self.tagged)
    func reading(_ form: JournalFileForm) throws {
        let folder = try TemporaryFolder()
        let file = Self.file(form)
        let journal = try LibsystemdWalk(files: GeneratedJournals(files: [file]).write(to: folder))
        journal.seekHead()
        for entry in file.entries {
            #expect(journal.next())
            let read = journal.entry()
            #expect(read.cursor == entry.cursor(in: form.sequenceID))
            #expect(read.realtime == entry.realtime)
            #expect(read.monotonic == entry.monotonic)
            #expect(Set(read.fields) == Set(entry.fields))
            #expect(read.fields.count == Set(entry.fields).count)
        }
        #expect(!journal.next())
    }

    @Test("the reported places are those of the objects")
    func places() {
        let writer = Self.file(JournalFileForm()).writer
        let bytes = writer.bytes()
        for place in writer.places { #expect(bytes[place.offset] == place.kind.rawValue) }
        #expect(writer.places.filter { $0.kind == .entry }.count == 40)
        #expect(Set(writer.places.map(\.kind)) == Set(JournalFilePlace.Kind.allCases).subtracting([.tag]))
    }

    static let forms: [JournalFileForm] = [true, false].flatMap { isCompact in
        [true, false].flatMap { isKeyed in
            PayloadCompression.allCases.flatMap { compression in
                JournalFileForm.headerSizes.enumerated().compactMap { index, size in
                    var form = JournalFileForm()
                    (form.isCompact, form.isKeyed, form.compression) = (isCompact, isKeyed, compression)
                    form.headerSize = size
                    form.isPadded = index % 2 == 0
                    form.arrayCapacity = index % 2 == 0 ? .growing : .fixed(2)
                    return isCompact && size < 264 ? nil : form
                }
            }
        }
    }

    /// Forms whose seals journalctl would reject.
    static let tagged: [JournalFileForm] = [true, false].map { isCompact in
        var form = JournalFileForm()
        form.isCompact = isCompact
        form.tagInterval = 3
        return form
    }

    static func file(_ form: JournalFileForm) -> GeneratedJournals.File {
        var random = SeededGenerator(1)
        let boots = [ID128(using: &random), ID128(using: &random)]
        let entries = (UInt64(1)...40).map { number in
            let boot = boots[number > 20 ? 1 : 0]
            var fields = [
                "_BOOT_ID=\(boot)", "MESSAGE=\(number)", "TAG=\(number % 3)", "EMPTY=", "TAG=\(number % 5)", "EMPTY=",
            ]
            if number % 4 == 0 { fields.append("LARGE=" + String(repeating: "\(number) ", count: 400)) }
            let bytes = fields.map { Array($0.utf8) } + [Array("BINARY=".utf8) + random.bytes(900)]
            return JournalFileEntry(sequence: number, realtime: number, monotonic: number, boot: boot, fields: bytes)
        }
        return GeneratedJournals.File(form: form, entries: entries)
    }
}
