import Foundation
import TestSupport
import Testing

@Suite("Filters are kept in the configuration file under names, and operands call them")
struct CommandLineKeptFilterTests {
    private static let text = """
        -ocat
        @one = message.endsWith("1") // of all
        @some=message != "number 0"
        @either = message == "number 0" || message == "number 2"
        @bad = priority <=

        """

    @Test(
        "all named filters and the typed filter must hold",
        arguments: [
            (["@one"], [1]), (["@some"], [1, 2]), (["@some", "@either"], [2]), (["@one", "@either"], []),
            (["@some", "message != 'number 1'"], [2]), (["message != 'number 1'", "@either", "@some"], [2]),
            (["@some", "MESSAGE=number 1", "MESSAGE=number 2"], [1, 2]), (["-gNUMBER", "@one"], []),
            (["--", "@one"], [1]),
        ]
    )
    func kept(operands: [String], numbers: [Int]) throws {
        let configured = try Configured(Self.text)
        let ended = try configured.run(["tail", "--from", "export:-"] + operands)
        #expect(ended == .init(status: numbers.isEmpty ? 1 : 0, output: Export.lines(numbers), errors: ""))
        let count = try configured.run(["count", "--from", "export:-"] + operands)
        #expect(count.output == "\(numbers.count)\n")
        let records = try configured.run(["tail", "--from", "export:-", "--template", "{message}"] + operands)
        #expect(records.output == Export.lines(numbers))
    }

    @Test("explain shows what the names stand for")
    func explain() throws {
        let ended = try Configured(Self.text).run("explain", "@some", "priority <= err")
        #expect(ended.status == 0)
        #expect(ended.output.hasPrefix("Filter: message != \"number 0\" && priority <= err\n"), "\(ended.output)")
    }

    @Test(
        "an invalid filter is shown with its name and line",
        arguments: [
            ["tail", "--from", "export:-"], ["count", "--from", "export:-"], ["explain"], ["tail", "-o", "logfmt"],
        ]
    )
    func wrong(command: [String]) throws {
        let configured = try Configured(Self.text)
        let ended = try configured.run(command + ["@some", "@bad"])
        #expect(ended.status == 2)
        #expect(ended.errors.contains("  priority <=\n             ^\n"), "\(ended.errors)")
        #expect(ended.errors.hasSuffix("busctl-rx: this is the filter @bad: \(configured.path), line 5\n"))
    }

    @Test("forward checks a kept filter against the source that it reads, as it checks a typed filter")
    func forwarded() throws {
        let configured = try Configured("@late = status >= 500\n@bad = status >=\n")
        let log = configured.folder.path("log.json")
        try "{\"status\":200}\n".write(toFile: log, atomically: false, encoding: .utf8)
        let forward = [
            "forward", "--from", "json:\(log)", "--no-follow", "--cursor-file", configured.folder.path("cursor"),
            "--to",
            "otlp+http://127.0.0.1:1",
        ]
        for operands in [["@late"], ["@late", "status < 600"]] {
            let process = try TailProcess(
                forward + operands,
                environment: ["LANG": "C", "TZ": "UTC", "BUSCTL_RX_CONFIG": configured.path]
            )
            try process.wait(forErrors: "cannot send to http://127.0.0.1:1/")
            process.send(SIGTERM)
            #expect(try process.end().status == -SIGTERM)
        }
        let wrong = try configured.run(forward + ["@bad"])
        #expect(wrong.status == 2 && wrong.errors.hasSuffix("filter @bad: \(configured.path), line 2\n"), "\(wrong)")
    }

    @Test("an unknown name is refused with a list of the known ones", arguments: ["tail", "count", "explain"])
    func unknown(command: String) throws {
        let configured = try Configured(Self.text)
        for name in ["@ones", "@", "@One", "@one && true", "@one\u{301}"] {
            let ended = try configured.run(command, "--from", "export:-", name)
            let message = "'\(name)' is not a filter of \(configured.path), which defines @one, @some, @either, @bad"
            #expect(ended == .init(status: 2, output: "", errors: "busctl-rx: \(message)\n"))
        }
        let without = try configured.run(command, "--from", "export:-", "--no-config", "@one")
        #expect(without.status == 2 && without.errors.contains("--no-config"))
        let none = try TailProcess.run(command, "--from", "export:-", "@one")
        #expect(none.status == 2 && none.errors.contains("'@one' is unknown"), "\(none.errors)")
    }

    @Test("a filter that the shell has split in two is reported, with names or without")
    func cut() throws {
        let ended = try Configured(Self.text).run("tail", "@one", "priority", "<= err")
        #expect(ended.status == 2)
        #expect(ended.errors.contains("'<= err'"), "\(ended.errors)")
    }

    @Test(
        "names are completed, with their filters",
        arguments: [
            ("@", ["@bad\tpriority <=", "@either\tmessage == \"number 0\" || message == \"number 2\""]),
            ("@s", ["@some\tmessage != \"number 0\""]), ("@x", []),
        ]
    )
    func completion(typed: String, lines: [String]) throws {
        let configured = try Configured(Self.text)
        for command in ["tail", "count", "explain"] {
            let ended = try configured.run("---complete", command, typed)
            #expect(ended.output.split(separator: "\n").prefix(2) == lines.map { $0[...] }[...])
        }
    }
}
