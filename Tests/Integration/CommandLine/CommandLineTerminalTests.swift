import Foundation
import Testing

@Suite("busctl-rx tail on a terminal")
struct CommandLineTerminalTests {
    private static let message = "a\u{1B}[2Jb\u{9B}c\u{202E}d\re"

    private static func stream() -> Data {
        SyntheticJournal.export([
            [
                ("MESSAGE", Array(message.utf8)), ("SYSLOG_IDENTIFIER", Array("x\n\u{2029}y".utf8)),
                ("_HOSTNAME", Array("h\nNov 21 00:00:00 h".utf8)),
            ]
        ])
    }

    private func run(_ format: String, _ output: TailProcess.Stream) throws -> String {
        let folder = try TemporaryFolder()
        try Self.stream().write(to: URL(fileURLWithPath: folder.path("stream")))
        let arguments = ["tail", "--from", "export:" + folder.path("stream"), "-o", format]
        let ended = try TailProcess(arguments, output: output).end()
        #expect(ended.status == 0 && ended.errors == "")
        return ended.output
    }

    @Test("no entry sends it a control sequence", arguments: ["short", "cat", "json"])
    func harmless(format: String) throws {
        let output = try run(format, .terminal)
        let active = output.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
                || [0x202E, 0x2029].contains($0.value)
        }
        #expect(active.isEmpty, "\(output.debugDescription)")
        #expect(output.count { $0 == "\n" } == 1)
        if format != "json" { #expect(output.hasSuffix(#"a\x1b[2Jb\u009bc\u202ed\x0de"# + "\n")) }
    }

    @Test("a pipe gets the message byte for byte, and a line of the short format remains one line")
    func pipe() throws {
        #expect(try run("cat", .pipe) == Self.message + "\n")
        #expect(
            try run("short", .pipe)
                == #"Nov 14 22:13:20 h\x0aNov 21 00:00:00 h x\x0a\u2029y: [15B blob data]"# + "\n"
        )
        #expect(try run("json", .pipe).contains("\"SYSLOG_IDENTIFIER\":\"x\\n\u{2029}y\""))
    }
}
