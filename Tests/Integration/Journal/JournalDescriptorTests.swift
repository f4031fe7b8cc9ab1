import Foundation
import JournalWriter
import TestSupport
import Testing

@testable import JournalBridge

@Suite("A journal of more files than a process may have open")
struct JournalDescriptorTests {
    private static let files = 150
    private static let entries = 12

    private let folder: TemporaryFolder

    /// Files that were written in turn, so that reading goes from one to the other with every entry.
    init() throws {
        folder = try TemporaryFolder()
        for file in 0..<Self.files {
            var form = JournalFileForm()
            form.fileID = ID128(UInt64(file + 1), 9)
            var writer = JournalFileWriter(form)
            for entry in 0..<Self.entries {
                let number = UInt64(entry * Self.files + file + 1)
                writer.append(
                    JournalFileEntry(
                        sequence: number,
                        realtime: 1_700_000_000_000_000 + number * 1000,
                        monotonic: number * 1000,
                        boot: ID128(1, 2),
                        fields: ["MESSAGE=\(number)", "_SYSTEMD_UNIT=u\(number % 7).service"].map { Array($0.utf8) }
                    )
                )
            }
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("\(file).journal")))
        }
    }

    private func run(_ limit: Int, _ arguments: String) throws -> (lines: [Substring], errors: String, status: Int32) {
        let command =
            "ulimit -n \(limit); exec '\(TailProcess.program)' tail --directory '\(folder.path(""))' -o cat \(arguments)"
        let ended = try TailProcess(["-c", command], program: "/bin/bash").end()
        return (ended.output.split(separator: "\n"), ended.errors, ended.status)
    }

    private var all: [String] { (1...Self.files * Self.entries).map { "\($0)" } }

    @Test(
        "is read like any other",
        arguments: [("", 1), ("-r", 1), ("-n all", 1), ("'unit == \"u3.service\"'", 7), ("-n all -o json", 1)]
    )
    func all(_ arguments: String, _ share: Int) throws {
        let (lines, errors, status) = try run(64, "--no-follow " + arguments)
        #expect(errors == "")
        #expect(status == 0)
        #expect(lines.count == (share == 1 ? all.count : all.count { UInt64($0).map { $0 % 7 == 3 } ?? false }))
        guard arguments == "" || arguments == "-r" || arguments == "-n all" else { return }
        #expect(lines.map(String.init) == (arguments == "-r" ? all.reversed() : all))
    }

    @Test("is followed, too")
    func following() throws {
        let command =
            "ulimit -n 64; exec '\(TailProcess.program)' tail --directory '\(folder.path(""))' -o cat -f -n all"
        let process = try TailProcess(["-c", command], program: "/bin/bash")
        try process.wait(forOutput: "\n\(all.count)\n")
        var more = try GrowingJournal(folder.path("more.journal"))
        try more.append(5001...5003)
        try process.wait(forOutput: "5003\n")
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.output.split(separator: "\n").map(String.init) == all + ["5001", "5002", "5003"])
        #expect(ended.errors == "")
    }

    @Test("is refused where hardly one file can be opened")
    func refusal() throws {
        let (_, errors, status) = try run(16, "--no-follow")
        #expect(status != 0)
        #expect(errors.contains("ulimit -n"), "\(errors)")
        // The limit that it names is enough.
        #expect(errors.contains(", and keeps 16 for other uses; a limit of "), "\(errors)")
        let limit = try #require(errors.firstMatch(of: /a limit of (\d+) is enough/).flatMap { Int($0.1) })
        let enough = try run(limit, "--no-follow")
        #expect(enough.status == 0 && enough.errors == "")
    }

    @Test("a file that was renamed while it was closed is found by its identity; one that is gone counts as deleted")
    func renamed() throws {
        let pool = DescriptorPool()
        pool.limit(to: 1)
        let (first, second) = (folder.path("0.journal"), folder.path("1.journal"))
        let file = try JournalFile(first, number: 1, memory: FileMemory(isSmall: true), descriptors: pool)
        _ = try JournalFile(second, number: 2, memory: FileMemory(isSmall: true), descriptors: pool)
        #expect(file.openDescriptor.number < 0)
        #expect(rename(first, folder.path("elsewhere.journal")) == 0)
        #expect(file.openDescriptor.opened() >= 0)
        #expect(!file.isDeleted)
        _ = try JournalFile(second, number: 3, memory: FileMemory(isSmall: true), descriptors: pool)
        #expect(unlink(folder.path("elsewhere.journal")) == 0)
        #expect(file.openDescriptor.opened() < 0)
        #expect(file.isDeleted)
    }
}
