import Foundation
import Glibc
import Testing

/// libsystemd reads only one catalogue. The test mounts its own in that place, for its own processes alone.
@Suite(
    "busctl-rx tail -x with a custom catalogue",
    .enabled(
        if: SyntheticJournal.isAvailable && geteuid() == 0
            && (try? Command.run("/usr/bin/unshare", ["-m", "true"]).status) == 0,
        "needs root, journalctl, systemd-journal-remote and unshare"
    )
)
struct CommandLineOwnCatalogTests {
    private static let id = "aaaabbbbccccddddeeeeffff00001111"
    private static let catalog = """
        -- \(id)
        Subject: @UNIT@ @@UNIT@@ @UNIT@@JOB_ID@ @JOB_ID @A1@ @@ @unit@ @_PID@ @__CURSOR@ @MISSING@ @
        Defined-By: test

        \ttab, and the last @MESSAGE@

        """

    /// The command's output with the files of that folder as the machine's catalogue.
    private func output(of command: [String], _ folder: String) throws -> Command.Result {
        let script = #"mount --bind "$0" /var/lib/systemd/catalog && exec "$@""#
        let environment = ["env", "TZ=UTC", "LANG=C", "BUSCTL_RX_CONFIG="]
        return try Command.run("/usr/bin/unshare", ["-m", "sh", "-c", script, folder] + environment + command)
    }

    private func journal() throws -> SyntheticJournal {
        try SyntheticJournal([
            [
                ("MESSAGE", Array("first\n\nline \t".utf8)), ("MESSAGE_ID", Array(Self.id.utf8)),
                ("UNIT", Array("@JOB_ID@".utf8)), ("JOB_ID", Array("7".utf8)), ("_PID", Array("1".utf8)),
                ("A1", Array("x".utf8)), ("SYSLOG_IDENTIFIER", Array("test".utf8)),
            ]
        ])
    }

    @Test("fields replace their names as in journalctl")
    func variables() throws {
        let folder = try TemporaryFolder()
        let (sources, compiled) = (folder.path("usr/lib/systemd/catalog"), folder.path("var/lib/systemd/catalog"))
        for path in [sources, compiled] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Self.catalog.write(toFile: sources + "/test.catalog", atomically: true, encoding: .utf8)
        let made = try Command.run("/usr/bin/journalctl", ["--update-catalog", "--root", folder.path("")])
        try #require(made.status == 0)
        let journal = try journal()
        let theirs = try output(of: ["journalctl", "--file", journal.path, "-q", "-x"], compiled)
        let ours = try output(of: [TailProcess.program, "tail", "--file", journal.path, "--no-follow", "-x"], compiled)
        let text = String(decoding: ours.output, as: UTF8.self)
        #expect(text == String(decoding: theirs.output, as: UTF8.self))
        #expect(text.contains("-- Subject: @JOB_ID@ @@JOB_ID@@ @JOB_ID@7 @JOB_ID @A1@ @@ @unit@ 1 "), "\(text)")
    }

    @Test(
        "a catalogue that cannot be read is reported, and entries are shown without it",
        arguments: [nil, "", "no catalogue"]
    )
    func unreadable(content: String?) throws {
        let folder = try TemporaryFolder()
        if let content { try content.write(toFile: folder.path("database"), atomically: true, encoding: .utf8) }
        let journal = try journal()
        let command = [TailProcess.program, "tail", "--file", journal.path, "--no-follow", "-x", "-o", "short"]
        let ended = try output(of: ["sh", "-c", #"exec "$0" "$@" 2>&1"#] + command, folder.path(""))
        let lines = String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            lines.first?.hasPrefix("busctl-rx: cannot read the message catalogue for --catalog: ") == true,
            "\(lines)"
        )
        #expect(lines.first?.contains("journalctl --update-catalog") == true)
        #expect(lines.dropFirst().first?.hasSuffix(": first") == true && ended.status == 0, "\(lines)")
    }

    @Test("without libsystemd the program runs, and -x reports why no text is shown")
    func noLibrary() throws {
        let journal = try journal()
        // Only libsystemd is hidden, and only from the processes of this test.
        let script = #"""
            for file in $(ldconfig -p | sed -n 's/.*libsystemd\.so\.0 .* => //p'); do mount --bind /dev/null "$file" || exit 77; done
            "$0" tail --file "$1" --no-follow -o short; exec "$0" tail --file "$1" --no-follow -x -o short 2>&1
            """#
        let command = ["-m", "sh", "-c", script, TailProcess.program, journal.path]
        let ended = try Command.run("/usr/bin/unshare", command)
        let lines = String(decoding: ended.output, as: UTF8.self).split(separator: "\n").map(String.init)
        try #require(lines.count > 3 && ended.status == 0, "\(ended.status) \(lines)")
        #expect(lines[0].hasSuffix(": first"))
        let complaint = lines.first { $0.hasPrefix("busctl-rx: ") }
        #expect(complaint?.contains("libsystemd.so.0") == true, "\(lines)")
        #expect(complaint?.contains("install libsystemd") == true, "\(lines)")
    }
}
