import Foundation
import Glibc
import JournalWriter
import TestSupport
import Testing

/// Journals of several machines, users and namespaces, as journald and systemd-journal-remote write them. journalctl
/// determines which of them an option selects.
@Suite(
    "busctl-rx tail reads the journals that journalctl reads",
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd")
)
struct CommandLineMachineTests {
    private static let machine =
        (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    private static let other = "0123456789abcdef0123456789abcdef"
    private static let boot = ID128(1, 1)

    /// A root directory with journal files. Each has an entry with its own path as the message.
    private static func root() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let user = "user-\(getuid())"
        let files = [
            "var/log/journal/\(machine)/system.journal", "var/log/journal/\(machine)/system@1-2-3.journal",
            "var/log/journal/\(machine)/system.journal~", "var/log/journal/\(machine)/\(user).journal",
            "var/log/journal/\(machine)/\(user)@1-2-3.journal", "var/log/journal/\(machine)/\(user)1.journal",
            "var/log/journal/\(machine)/odd.journal", "var/log/journal/\(machine)/systems.journal",
            "var/log/journal/\(machine).ns/system.journal", "var/log/journal/\(other)/system.journal",
            "var/log/journal/\(other).ns/system.journal", "var/log/journal/remote/remote-host.journal",
            "var/log/journal/remote/\(other)/system.journal", "run/log/journal/\(machine)/system.journal",
            "var/log/journal/top.journal", "var/log/journal/elsewhere/system.journal",
        ]
        for (number, file) in files.enumerated() {
            let path = folder.path(file)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            var form = JournalFileForm()
            form.fileID = ID128(UInt64(number + 1), 1)
            form.sequenceID = ID128(UInt64(number + 1), 2)
            var writer = JournalFileWriter(form)
            let fields = ["MESSAGE=\(file)", "_BOOT_ID=\(boot)", "_UID=\(getuid())", "_SYSTEMD_USER_UNIT=own.service"]
            writer.append(
                JournalFileEntry(
                    sequence: 1,
                    realtime: 1_700_000_000_000_000 + UInt64(number) * 1_000_000,
                    monotonic: UInt64(number + 1) * 1_000_000,
                    boot: boot,
                    fields: fields.map { Array($0.utf8) }
                )
            )
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: path))
        }
        return folder
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test(
        "under a root directory",
        arguments: [
            [], ["--system"], ["--user"], ["--user", "--system"], ["-m"], ["--user", "--user-unit", "own"],
            ["--user", "--system", "-u", "own"], ["-u", "own"], ["-r", "--system"],
        ]
    )
    func root(arguments: [String]) throws {
        let root = try Self.root()
        let asked = ["--root", root.path, "-o", "cat"] + arguments
        let theirs = try Command.run("/usr/bin/journalctl", Journalctl.arguments(["-q"] + asked))
        let ours = try TailProcess.run(["tail", "--no-follow"] + asked)
        #expect(lines(ours.output) == lines(String(decoding: theirs.output, as: UTF8.self)))
        #expect(ours.errors == "")
        #expect(ours.output.isEmpty == (arguments == ["-u", "own"] || arguments.count == 4), "\(arguments)")
    }

    @Test(
        "the requested kinds of a directory",
        arguments: [["--system"], ["--user"], ["--user", "--system"]]
    )
    func directory(arguments: [String]) throws {
        let root = try Self.root()
        let asked = ["-D", root.path("var/log/journal/\(Self.machine)"), "-o", "cat"] + arguments
        let theirs = try Command.run("/usr/bin/journalctl", Journalctl.arguments(["-q"] + asked))
        let ours = try TailProcess.run(["tail", "--no-follow"] + asked)
        #expect(!ours.output.isEmpty && lines(ours.output) == lines(String(decoding: theirs.output, as: UTF8.self)))
    }

    /// Whether a process may have its own /run and /var/log.
    private static let canMount =
        geteuid() == 0 && Command.exists("/usr/bin/unshare")
        && (try? Command.run("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/run"]).status) == 0

    @Test(
        "the journals of this machine, and of all machines with journals here",
        .enabled(if: canMount && !machine.isEmpty, "needs root, mount namespaces and /etc/machine-id")
    )
    func machines() throws {
        let root = try Self.root()
        let options = [
            "-m", "--merge --system", "-m --user", "--user", "--system", "--namespace ns", "-m --namespace ns",
            "--namespace *", "--namespace=+ns", "-m --namespace *", "-m --namespace +ns", "--namespace * --system",
        ]
        // Files next to the machines' folders belong to all machines, so here they do not belong to one alone.
        let script = """
            mount -t tmpfs none /run && mount -t tmpfs none /var/log && mkdir /run/log || exit 1
            cp -r \(root.path)/var/log/journal /var/log/ && cp -r \(root.path)/run/log/journal /run/log/ || exit 1
            export BUSCTL_RX_CONFIG=
            set -f
            ask() { for words in "$@"; do
                case $words in *--user) too=\(Journalctl.arguments(["--user"]).dropFirst().joined()) ;; *) too= ;; esac
                echo "$words: $(journalctl -q $words $too -o cat | tr '\\n' ' ')"
                echo "$words: $(\(TailProcess.program) tail --no-follow $words -o cat | tr '\\n' ' ')"
            done; }
            ask \(options.prefix(3).map { "'\($0)'" }.joined(separator: " ")) '\(options[6])' '--root /var/.. -m'
            rm /var/log/journal/top.journal
            ask \((options[3...5] + options[7...]).map { "'\($0)'" }.joined(separator: " ")) '--root /'
            """
        let output = try Command.run("/usr/bin/unshare", ["-m", "sh", "-c", script]).output
        let answers = lines(String(decoding: output, as: UTF8.self))
        #expect(answers.count == 28)
        for index in stride(from: 0, to: answers.count - 1, by: 2) {
            #expect(answers[index + 1] == answers[index])
            #expect(answers[index].contains(".journal "), "\(answers[index])")
        }
    }

    @Test("count, explain, completion and the lists read the same journals")
    func others() throws {
        let root = try Self.root()
        let user = ["--root", root.path, "--user"]
        // All of them, and those in /var, which are completed after "va".
        let (count, inVar) = Journalctl.isUserOfSystem ? (8, 7) : (2, 2)
        #expect(try TailProcess.run(["count"] + user + ["-u", "own"]).output == "\(count)\n")
        let explained = try TailProcess.run(["explain"] + user + ["true"]).output
        #expect(explained.components(separatedBy: "user-\(getuid())").count == 3, "\(explained)")
        let asked = ["--root", root.path, "--system"]
        let values = try TailProcess.run(["tail"] + asked + ["-F", "MESSAGE"]).output
        #expect(lines(values).count == 6)
        #expect(try TailProcess.run(["tail"] + user + ["-N"]).output.contains("_SYSTEMD_USER_UNIT"))
        #expect(lines(try TailProcess.run(["tail"] + user + ["--list-boots"]).output).count == 2)
        let patience = ["BUSCTL_RX_COMPLETION_SECONDS": "3600"]
        func completed(_ words: [String]) throws -> String {
            try TailProcess.run(["---complete", "tail"] + words, environment: patience).output
        }
        #expect(try completed(user + ["-u", "o"]) == "own.service\t\n")
        #expect(try completed(asked + ["-u", "o"]) == "")
        #expect(try completed(["--root", "a"]) == "\tdirectories\t\n")
        #expect(try completed(user + ["MESSAGE=va"]).split(separator: "\n").count == inVar)
    }

    @Test("a missing journal is reported with advice")
    func missing() throws {
        let folder = try TemporaryFolder()
        for (arguments, words) in [
            (["--root", folder.path], ["/var/log/journal", "/run/log/journal", "--directory"]),
            (["--root", folder.path("none")], ["none", "No such file"]),
            (["--root", "/etc/passwd"], ["not a directory"]),
            (["-D", folder.path, "--user"], ["user-\(getuid()).journal", folder.path]),
            (["-D", folder.path, "--user", "--system"], ["system.journal and user-\(getuid()).journal"]),
        ] {
            let ended = try TailProcess.run(["tail", "--no-follow"] + arguments)
            #expect(ended.status == 3 && ended.output == "")
            for word in words { #expect(ended.errors.contains(word), "\(ended.errors)") }
            #expect(ended.errors.split(separator: "\n").count == 1)
        }
    }
}
