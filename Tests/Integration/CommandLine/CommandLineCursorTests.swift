import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
    "busctl-rx tail keeps its place",
    .serialized,
    .enabled(if: SyntheticJournal.isAvailable, Comment(rawValue: SyntheticJournal.hint))
)
struct CommandLineCursorTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path("cursor") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The sequence number in the cursor file; `nil` without one.
    private func saved() throws -> Int? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let part = try #require(text.split(separator: ";").first { $0.hasPrefix("i=") }, "\(text)")
        return try #require(Int(String(part.dropFirst(2)), radix: 16) as Int?)
    }

    private func journal(_ numbers: ClosedRange<Int>) throws -> GrowingJournal {
        var journal = try GrowingJournal(folder.path("a.journal"))
        try journal.append(numbers)
        return journal
    }

    private func tail(_ arguments: String...) throws -> TailProcess.Ended {
        try TailProcess(["tail", "-D", folder.path(""), "-o", "cat", "--cursor-file", file] + arguments).end()
    }

    private func lines(_ numbers: ClosedRange<Int>) -> String { numbers.map { "\($0)\n" }.joined() }

    @Test("a restart continues where the last run ended, whatever -n and --since say")
    func restart() throws {
        var journal = try journal(1...20)
        #expect(try tail("--no-follow", "-n", "5") == .init(status: 0, output: lines(16...20), errors: ""))
        #expect(try saved() == 20)
        #expect(try tail("--no-follow", "-n", "5").output == "")
        try journal.append(21...30)
        #expect(try tail("-f", "--count", "4", "-n", "1").output == lines(21...24))
        #expect(try saved() == 24)
        #expect(try tail("--no-follow", "--since", "tomorrow").output == "")
        try FileManager.default.removeItem(atPath: file)
        #expect(try tail("--no-follow", "-n", "0").output == "")
        #expect(try saved() == 30)
    }

    @Test("the place is that of the last entry examined, even if none matches")
    func nothingMatches() throws {
        var journal = try journal(1...1000)
        #expect(try tail("--no-follow", "message == 'none'").status == 1)
        #expect(try saved() == 1000)
        let process = try TailProcess(["tail", "-D", folder.path(""), "--cursor-file", file, "message == 'none'"])
        try process.waitUntilFollowing()
        try journal.append(1001...2000)
        try Deadline.wait("the place to be saved while it follows") { try saved() == 2000 }
        process.send(SIGKILL)
        _ = try process.end()
    }

    @Test("a run ended by a signal has saved the place of what it wrote, and shows a cursor")
    func signal() throws {
        var journal = try journal(1...50)
        let source = ["tail", "-D", folder.path(""), "-o", "cat", "--show-cursor"]
        let process = try TailProcess(source + ["-n", "all", "--cursor-file", file])
        try process.wait(forOutput: "50\n")
        try Deadline.wait("the first place to be saved") { try saved() == 50 }
        try journal.append(51...60)
        try process.wait(forOutput: "60\n")
        process.send(SIGTERM)
        let ended = try process.end()
        #expect(ended.status == -SIGTERM && ended.errors == "")
        let cursor = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(ended.output == lines(1...60) + "-- cursor: \(cursor)\n")
        // The signal may have arrived after a line was written and before its place was saved.
        let last = try #require(try saved())
        try #require(last >= 50 && last <= 60)
        let again = try tail("--no-follow", "-n", "all")
        #expect(again.output == (last..<60).map { "\($0 + 1)\n" }.joined())

        let part = try TailProcess(source + ["--no-follow", "--count", "48"]).end().output
        let place = try #require(part.split(separator: "\n").last).dropFirst("-- cursor: ".count)
        let after = try TailProcess(source.dropLast() + ["--no-follow", "--after-cursor", String(place)]).end()
        #expect(after.output == lines(49...60))
    }

    @Test("killed at any moment it loses nothing, and repeats only entries after the last save")
    func killed() throws {
        let journal = try SyntheticJournal.large()
        let last = 20_000
        var shown = 0
        for round in 0..<Stress.rounds(20, stress: 1000) {
            let before = try saved() ?? 0
            let process = try TailProcess([
                "tail", "--file", journal.path, "--no-follow", "-o", "json", "--output-fields", "MESSAGE", "-n", "all",
                "--cursor-file", file,
            ])
            usleep(.random(in: 0..<60_000))
            process.send(SIGKILL)
            let ended = try process.end()
            let whole = ended.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let numbers = try whole.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                return 1 + (try #require(object?["MESSAGE"].flatMap { Int($0) }))
            }
            #expect(numbers.elementsEqual((before + 1)..<(before + 1 + numbers.count)), "round \(round)")
            shown = max(shown, before + numbers.count)
            let after = try saved() ?? 0
            #expect(after >= before && after <= shown, "round \(round)")
            if ended.status == 0 {
                #expect(after == last && numbers.last ?? before == last)
                try FileManager.default.removeItem(atPath: file)
                shown = 0
            }
        }
    }

    @Test("killed at any moment while entries arrive, it continues where it was")
    func killedWhileFollowing() throws {
        for _ in 0..<Stress.rounds(1, stress: 40) {
            var journal = try journal(1...10)
            var last = 10
            for round in 0..<25 {
                let before = try saved() ?? 0
                let process = try TailProcess([
                    "tail", "-D", folder.path(""), "-o", "cat", "-n", "all", "--cursor-file", file,
                ])
                for _ in 0..<Int.random(in: 0..<4) {
                    usleep(.random(in: 0..<30_000))
                    let next = last + .random(in: 1...20)
                    try journal.append(last + 1...next)
                    last = next
                }
                usleep(.random(in: 0..<30_000))
                process.send(SIGKILL)
                // The last line may be incomplete.
                let shown = try process.end().output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                #expect(shown.elementsEqual((before + 1..<before + 1 + shown.count).map { "\($0)" }), "round \(round)")
                let after = try saved() ?? 0
                #expect(after >= before && after <= before + shown.count, "round \(round)")
            }
            let before = try saved() ?? 0
            #expect(try tail("--no-follow", "-n", "all").output == (before..<last).map { "\($0 + 1)\n" }.joined())
            try FileManager.default.removeItem(atPath: folder.path("a.journal"))
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    @Test("if the place cannot be saved, everything is shown; this is reported once and by the status")
    func unsaved() throws {
        _ = try journal(1...20)
        for path in ["/proc/cursor", folder.path("none/cursor"), folder.path("")] {
            let ended = try TailProcess([
                "tail", "-D", folder.path(""), "--no-follow", "-o", "cat", "--cursor-file", path,
            ]).end()
            #expect(ended.status == 3)
            #expect(ended.errors.contains("cursor file \(path)"), "\(ended.errors)")
            if path != folder.path("") { #expect(ended.output == lines(1...20)) }
        }
    }

    @Test("no file next to the cursor file is changed, and none is left behind")
    func neighbours() throws {
        _ = try journal(1...20)
        try "mine".write(toFile: file + ".new", atomically: true, encoding: .utf8)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
        #expect(try tail("--no-follow").status == 0)
        #expect(try String(contentsOfFile: file + ".new", encoding: .utf8) == "mine")
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path(""))) == Set(before + ["cursor"]))
    }

    @Test("two runs may save their places in one file at once")
    func together() throws {
        _ = try journal(1...20)
        let options = ["tail", "-D", folder.path(""), "--no-follow", "--cursor-file", file, "-n", "1"]
        for _ in 0..<Stress.rounds(10, stress: 200) {
            let processes = try (0..<4).map { _ in try TailProcess(options) }
            for process in processes { #expect(try process.end().errors == "") }
            #expect(try saved() == 20)
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test("anything but a regular file is refused before anything is shown, and is not changed")
    func special() throws {
        _ = try journal(1...20)
        let (pipe, link) = (folder.path("pipe"), folder.path("link"))
        try #require(mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pipe)
        for path in [pipe, link, folder.path("")] {
            let ended = try TailProcess([
                "tail", "-D", folder.path(""), "--no-follow", "-o", "cat", "--cursor-file", path,
            ]).end()
            #expect(ended.status == 3 && ended.output == "", "\(path): \(ended)")
            #expect(ended.errors.contains(path), "\(ended.errors)")
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("a symbolic link stays one, and its target is kept up to date")
    func link() throws {
        _ = try journal(1...20)
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        try "".write(toFile: file, atomically: false, encoding: .utf8)
        let ended = try TailProcess([
            "tail", "-D", folder.path(""), "--no-follow", "-n", "1", "-o", "cat", "--cursor-file", link,
        ]).end()
        #expect(ended == .init(status: 0, output: "20\n", errors: ""))
        #expect(try saved() == 20)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    }

    @Test(
        "a file that contains no cursor is refused before anything is shown",
        arguments: ["hello", "s=1;i=zz", String(repeating: "x", count: 10_000), "\u{1B}[2J"]
    )
    func damaged(contents: String) throws {
        _ = try journal(1...20)
        try contents.write(toFile: file, atomically: true, encoding: .utf8)
        let ended = try tail("--no-follow")
        #expect(ended.status == 3 && ended.output == "")
        #expect(ended.errors.contains("cursor"), "\(ended.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == contents)
    }

    @Test("an empty cursor file counts as none")
    func empty() throws {
        _ = try journal(1...20)
        try "".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try tail("--no-follow", "-n", "1") == .init(status: 0, output: "20\n", errors: ""))
        #expect(try saved() == 20)
    }
}
