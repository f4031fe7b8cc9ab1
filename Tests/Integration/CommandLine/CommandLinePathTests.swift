import Foundation
import JournalWriter
import TestSupport
import Testing

/// A path in place of `FIELD=value`, as journalctl has it.
@Suite("busctl-rx tail takes a path for the program, script or device there")
struct CommandLinePathTests {
    private let folder: TemporaryFolder
    private let journal: String

    /// The boot of this machine.
    private static var boot: String {
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return text.filter(\.isHexDigit)
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    init() throws {
        folder = try TemporaryFolder()
        journal = folder.path("journal")
        try #require(mkdir(journal, 0o755) == 0)
        // If the interpreter is no link, journalctl also asks for its path.
        try #require(symlink("/bin/true", folder.path("interpreter")) == 0)
        for name in ["script", "a-script-with-a-long-name", "\u{E4}\u{E4}\u{E4}\u{E4}\u{E4}\u{E4}\u{E4}\u{E4}"] {
            try "#!\(folder.path("interpreter"))\n".write(toFile: folder.path(name), atomically: false, encoding: .utf8)
            try #require(chmod(folder.path(name), 0o755) == 0)
        }
        try #require(symlink("script", folder.path("link")) == 0)
        try "text".write(toFile: folder.path("text"), atomically: false, encoding: .utf8)
        let fields = [
            ["_EXE=\(Self.resolved("/bin/sh"))"], ["_EXE=\(Self.resolved("/usr/bin/env"))", "_PID=1"],
            ["_COMM=script"], ["_COMM=a-script-with-a-long-name"], ["_COMM=a-script-with-a"], ["_COMM=a-script-with-"],
            ["_KERNEL_DEVICE=c1:3", "_BOOT_ID=\(Self.boot)"], ["_KERNEL_DEVICE=+mem:null", "_BOOT_ID=\(Self.boot)"],
            ["_KERNEL_DEVICE=c1:3", "_BOOT_ID=\(String(repeating: "1", count: 32))"], ["_PID=1"],
        ]
        var writer = JournalFileWriter(JournalFileForm())
        for (number, fields) in fields.enumerated() {
            let time = 1_700_000_000_000_000 + UInt64(number)
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number + 1),
                    realtime: time,
                    monotonic: UInt64(number + 1),
                    boot: ID128(1, 1),
                    fields: (["MESSAGE=\(number)"] + fields).map { Array($0.utf8) }
                )
            )
        }
        try Data(writer.bytes()).write(to: URL(fileURLWithPath: journal + "/system.journal"))
    }

    private func selected(_ arguments: [String]) throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "-D", journal, "--no-follow", "-o", "cat"] + arguments, input: Data())
    }

    /// The arguments with names of this test's files made paths.
    private func paths(_ arguments: [String]) -> [String] {
        arguments.map { $0.hasPrefix("./") ? folder.path(String($0.dropFirst(2))) : $0 }
    }

    private static let cases: [(arguments: [String], messages: [String])] = [
        (["/bin/sh"], ["0"]), (["/bin/sh", "/usr/bin/env"], ["0", "1"]), (["/usr/bin/env", "_PID=1"], ["1"]),
        (["/bin/sh", "+", "_PID=1"], ["0", "1", "9"]), (["./script"], ["2"]), (["./link"], ["2"]),
        (["./a-script-with-a-long-name"], ["4"]), (["./script", "/bin/sh"], []),
    ]

    @Test("programs and scripts, with links followed", arguments: cases)
    func programs(arguments: [String], messages: [String]) throws {
        let ended = try selected(paths(arguments))
        #expect(ended.errors == "")
        #expect(ended.output == messages.map { $0 + "\n" }.joined())
    }

    @Test(
        "journalctl selects the same",
        .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd"),
        arguments: cases.map(\.arguments)
    )
    func same(arguments: [String]) throws {
        let theirs = try Command.run("/usr/bin/journalctl", ["-D", journal, "-q", "-o", "cat"] + paths(arguments))
        #expect(try selected(paths(arguments)).output == String(decoding: theirs.output, as: UTF8.self))
    }

    @Test("a device of this boot, and those that it is a part of")
    func device() throws {
        let isListed = FileManager.default.fileExists(atPath: "/sys/dev/char/1:3")
        #expect(try selected(["/dev/null"]).output == (isListed ? "6\n7\n" : "6\n"))
        guard isListed, Command.exists("/usr/bin/journalctl") else { return }
        let theirs = try Command.run("/usr/bin/journalctl", ["-D", journal, "-q", "-o", "cat", "/dev/null"])
        #expect(String(decoding: theirs.output, as: UTF8.self) == "6\n7\n")
    }

    @Test("a script's name is cut as the kernel cuts it")
    func cut() throws {
        let name = String(repeating: "\u{E4}", count: 8)
        let ended = try selected([folder.path(name)])
        // The eighth letter has 2 bytes, of which the kernel keeps one.
        #expect(ended.status == 2)
        #expect(ended.errors.contains("_COMM.startsWith(\"\(String(repeating: "\u{E4}", count: 7))\")"), "\(ended)")
    }

    @Test(
        "what is nothing of this is an error that names the reason",
        arguments: [
            (["./none"], "No such file or directory"), (["./text"], "--from lines:PATH"),
            (["/tmp"], "neither a program nor a device"), (["/"], "neither a program nor a device"),
            (["./text/x"], "Not a directory"), (["/bin/sh", "priority <= err"], "'priority <= err' stands beside"),
            (["/bin/sh", "+"], "'+' stands between"), (["message", "=~", "/error/"], "single quotes"),
        ]
    )
    func wrong(arguments: [String], reason: String) throws {
        let ended = try selected(paths(arguments))
        #expect(ended.status == 2 && ended.output == "")
        #expect(ended.errors.contains(reason), "\(ended.errors)")
    }

    @Test func `a filter that is the name of a file is an error that says how files are read`() throws {
        let ended = try selected(["Examples/sample.export"])
        #expect(ended.status == 2 && ended.errors.contains("--from lines:PATH"), "\(ended.errors)")
    }

    @Test("a filter may begin with a comment")
    func comment() throws {
        #expect(try selected(["// the first\n_PID == 1"]).output == "1\n9\n")
        #expect(try selected(["//bin/sh\n_PID == 1"]).output == "1\n9\n")
    }
}
