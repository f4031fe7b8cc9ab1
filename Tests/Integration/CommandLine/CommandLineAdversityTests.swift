import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

/// What happens from outside to the running process, its terminal and its files.
@Suite("busctl-rx tail keeps running")
struct CommandLineAdversityTests {
    private let folder: TemporaryFolder
    private var journals: String { folder.path("journals") }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("journals"), withIntermediateDirectories: true)
    }

    /// A journal file with these messages, moved into its place in one step.
    private func write(_ name: String, _ numbers: ClosedRange<Int>) throws {
        var form = JournalFileForm()
        form.fileID = ID128(7, UInt64(numbers.lowerBound))
        var writer = JournalFileWriter(form)
        for number in numbers {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number),
                    realtime: 1_700_000_000_000_000 + UInt64(number) * 1000,
                    monotonic: UInt64(number) * 1000,
                    boot: ID128(1, 1),
                    fields: [Array("MESSAGE=number \(number)".utf8)]
                )
            )
        }
        let path = journals + "/" + name
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: path + ".new"))
        rename(path + ".new", path)
    }

    private func start(_ options: String..., output: TailProcess.Stream = .pipe) throws -> TailProcess {
        try TailProcess(["tail", "-D", journals, "-ocat", "-n", "all"] + options, output: output)
    }

    @Test("after SIGCONT it shows what arrived while it was stopped")
    func stopped() throws {
        try write("a.journal", 1...3)
        let tail = try start()
        try tail.wait(forOutput: "number 3\n")
        tail.send(SIGSTOP)
        try write("b.journal", 4...2000)
        tail.send(SIGCONT)
        try tail.wait(forOutput: "number 2000\n")
        tail.send(SIGTERM)
        #expect(try tail.end() == .init(status: -SIGTERM, output: Export.lines(1...2000), errors: ""))
    }

    @Test("when the directory is deleted and created again")
    func newDirectory() throws {
        try write("a.journal", 1...3)
        let tail = try start()
        try tail.wait(forOutput: "number 3\n")
        try FileManager.default.removeItem(atPath: journals)
        try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: false)
        try write("b.journal", 4...6)
        try tail.wait(forOutput: "number 6\n")
        tail.send(SIGTERM)
        #expect(try tail.end() == .init(status: -SIGTERM, output: Export.lines(1...6), errors: ""))
    }

    @Test("when its terminal changes size")
    func resized() throws {
        try write("a.journal", 1...3)
        let terminal = try Terminal()
        let tail = try start(output: .file(terminal.path))
        var shown = ""
        func wait(for text: String) throws {
            while !shown.contains(text) {
                let isOver = !tail.isRunning || RunLimit.isOver
                tail.keepWaiting(seconds: 0.02)
                shown += terminal.read()
                if isOver, !shown.contains(text) {
                    throw Command.Failure(description: "no \(text) in \(shown.debugDescription)")
                }
            }
        }
        try wait(for: "number 3\r\n")
        terminal.resize(columns: 5, lines: 2)
        tail.send(SIGWINCH)
        try write("b.journal", 4...6)
        try wait(for: "number 6\r\n")
        tail.send(SIGINT)
        #expect(try tail.end().status == -SIGINT)
        #expect(shown == Export.lines(1...6).replacing("\n", with: "\r\n"))
    }

    private static let canMount =
        geteuid() == 0
        && (try? Command.run("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status) == 0

    @Test(
        "when its place cannot be saved for lack of space, which it reports once and by its status",
        .enabled(if: canMount, "needs the right to mount a file system")
    )
    func noSpace() throws {
        try write("a.journal", 1...3)
        let errors = folder.path("errors")
        let script = """
            mount -t tmpfs -o size=4k none /mnt && head -c 4096 /dev/zero > /mnt/full
            \(TailProcess.program) tail --no-config -D \(journals) -ocat --no-follow --cursor-file /mnt/place 2> \(errors)
            echo $?; ls /mnt
            """
        let ended = try Command.run("/usr/bin/unshare", ["-m", "sh", "-c", script])
        #expect(String(decoding: ended.output, as: UTF8.self) == Export.lines(1...3) + "3\nfull\n")
        let said = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(said == "busctl-rx: cannot save the place in the cursor file /mnt/place: No space left on device\n")
    }
}
