import Foundation
import Glibc
import Testing

@Suite("busctl-rx tail reads streams that are live, empty, broken or missing")
struct CommandLineStreamTests {
    @Test("what has arrived through a pipe is shown before the next read")
    func livePipe() throws {
        let tail = try TailProcess(["tail", "--from", "export:-", "-o", "cat"], input: .pipe)
        for number in 0..<5 {
            try tail.write(Export.numbers(number..<(number + 1)))
            // The test would wait here for ever if the output were held back.
            try tail.wait(forOutput: "number \(number)\n")
        }
        tail.closeInput()
        #expect(try tail.end() == .init(status: 0, output: Export.lines(0..<5), errors: ""))
    }

    @Test("an empty stream has no match")
    func empty() throws {
        #expect(try TailProcess.run("tail", "--from", "export:-") == .init(status: 1, output: "", errors: ""))
        #expect(try TailProcess.run("tail", "--from", "export:/dev/null").status == 1)
    }

    @Test("of a truncated stream the complete entries are shown, and then where it was cut")
    func truncated() throws {
        let whole = Export.numbers(0..<3)
        let ended = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", input: whole.dropLast(20))
        #expect(ended.status == 3)
        #expect(ended.output == Export.lines(0..<2))
        #expect(ended.errors.hasPrefix("busctl-rx: cannot read standard input as a journal export: "))
        #expect(ended.errors.contains("line "))
    }

    @Test("anything but an export stream is refused with what was expected")
    func noExport() throws {
        let ended = try TailProcess.run("tail", "--from", "export:-", input: Data([0, 1, 2, 3, 0x1B, 0x5B, 10, 10]))
        #expect(ended.status == 3)
        #expect(ended.errors.contains("NAME=value"))
        #expect(!ended.errors.contains("\u{1B}"))
    }

    @Test("fields left out of their entries are reported at the first one, and in total at the end")
    func skippedFields() throws {
        let one = try TailProcess.run("tail", "--from", "export:-", "-o", "cat", input: Data("a=1\nMESSAGE=x\n\n".utf8))
        let report =
            "busctl-rx: skipped 1 field of standard input, at line 1, byte 0: 1 with a name that no journal field can have\n"
        #expect(one == .init(status: 0, output: "x\n", errors: report))
        var stream = "a=1\nMESSAGE=x\n"
        for number in 0..<30_000 { stream += "F\(number)=\n" }
        stream += "\nb=1\nMESSAGE=y\n\n"
        // This includes entries that the filter does not select.
        let many = try TailProcess.run(
            "tail",
            "--from",
            "export:-",
            "-o",
            "cat",
            "message == 'y'",
            input: Data(stream.utf8)
        )
        #expect(many.status == 0 && many.output == "y\n")
        let lines = many.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("busctl-rx: skipped ") == true)
        #expect(
            lines.last
                == "busctl-rx: in all, skipped 28979 fields of standard input, the first at line 1, byte 0: 2 with a name that no journal field can have, 28977 beyond 1024 fields in an entry"
        )
    }

    @Test("an entry of very many fields is written as JSON, and reading continues")
    func manyFields() throws {
        var stream = Data("MESSAGE=first\n".utf8)
        for number in 0..<300_000 { stream += Data("F\(number)=x\n".utf8) }
        stream += Data("\nMESSAGE=second\n\n".utf8)
        let ended = try TailProcess.run("tail", "--from", "export:-", "-o", "json", input: stream)
        #expect(ended.status == 0)
        let lines = ended.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("\"F1022\":\"x\"}") == true)
        #expect(lines.last == "{\"MESSAGE\":\"second\"}")
        #expect(ended.errors.contains("298977 beyond 1024 fields in an entry"))
    }

    @Test("a stream that is missing, a directory or unreadable is named with the reason")
    func unavailable() throws {
        let folder = try TemporaryFolder()
        let missing = try TailProcess.run("tail", "--from", "export:\(folder.path("none"))")
        #expect(missing.status == 3)
        #expect(missing.errors == "busctl-rx: cannot open \(folder.path("none")): No such file or directory\n")
        let directory = try TailProcess.run("tail", "--from", "export:\(folder.path)")
        #expect(directory.status == 3)
        #expect(directory.errors.contains(folder.path) && directory.errors.contains("directory"))
    }

    @Test("closed standard input is an error; no other open file is read instead")
    func closedInput() throws {
        let ended = try TailProcess(["tail", "--from", "export:-"], input: .closed).end()
        #expect(ended.status == 3)
        #expect(ended.errors == "busctl-rx: cannot read standard input: Bad file descriptor\n")
    }

    @Test("without standard input, output and error it ends without a message")
    func allClosed() throws {
        let folder = try TemporaryFolder()
        try Export.numbers(0..<3).write(to: URL(fileURLWithPath: folder.path("stream")))
        for source in ["export:-", "export:" + folder.path("stream"), "export:" + folder.path("none")] {
            let ended = try TailProcess(["tail", "--from", source], input: .closed, output: .closed, errors: .closed)
                .end()
            #expect([0, 1, 3].contains(ended.status), "\(ended.status)")
        }
        // Nothing was written to the input.
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("stream"))) == Export.numbers(0..<3))
    }

    @Test("journal files that are empty, invalid, missing or directories are named with the reason")
    func files() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path("empty.journal")))
        try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.path("text.journal")))
        for (name, words) in [
            ("empty.journal", "it is empty"), ("text.journal", "it is not a journal"), ("none.journal", "No such file"),
            ("", "it is a directory"),
        ] {
            for follow in [[], ["--no-follow"]] {
                let ended = try TailProcess(["tail", "--file", folder.path(name)] + follow).end()
                #expect(ended.status == 3)
                #expect(ended.output == "")
                #expect(ended.errors.hasPrefix("busctl-rx: cannot "), "\(ended.errors)")
                #expect(ended.errors.contains(folder.path(name)) && ended.errors.contains(words), "\(ended.errors)")
            }
        }
    }

    @Test("a namespace that does not exist is named")
    func missingNamespace() throws {
        for name in ["there-is-none", "../../etc"] {
            let ended = try TailProcess.run("tail", "--namespace", name)
            #expect(ended.status == 3)
            #expect(ended.errors.hasPrefix("busctl-rx: cannot open the journal namespace \(name): "), "\(ended.errors)")
        }
    }
}
