import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Options of busctl-rx tail may be kept in a configuration file, one argument a line")
struct CommandLineConfigurationTests {
    private static let manyFilters = (0...100).map { "@a\($0) = true\n" }.joined()
    private static let stream = ["tail", "--from", "export:-"]

    @Test(
        "each line is one argument; comments, empty lines and white space at the ends are ignored",
        arguments: [
            "-ocat\n", "-o\ncat", "-o=cat", "--output\r\ncat\r\n", "# none\n\n \t-ocat \n#", "-fn5\n--output=cat\n",
            "--from=journal\n-ocat\n", "\u{B}-ocat\u{C}\n",
        ]
    )
    func lines(text: String) throws {
        let ended = try Configured(text).run(Self.stream)
        #expect(ended == .init(status: 0, output: Export.lines(0..<3), errors: ""))
    }

    @Test(
        "typed options take precedence over the file",
        arguments: [
            ("-ojson", ["-ocat"]), ("--template=x", ["-ocat"]), ("-ocat\n-n1", ["-n", "3"]),
            ("-ocat\n-n1", ["--lines=3"]), ("-ocat\n--namespace=a\n--namespace=b", []),
            ("-ocat\n--directory=/nowhere\n--skew=a=+1s", []), ("-ocat\n--label=a=every:1s\n--skew=a=+1s", []),
            ("-ocat\n-i\n/nowhere", []), ("-ocat\n--from=ssh:nowhere\n--reconnect", []),
            ("-ocat\n-u\nother", ["--user-unit=x", "--no-config", "-ocat"]),
            ("-ocat\n--highlight=(\n", ["--highlight=x"]), ("-ocat\n--time-gap=1us\n", ["--time-gap=1d"]),
            ("--before-context=0\n-ocat", ["-C1", "message.contains('1')"]),
            ("-ocat\n--root=/nowhere\n-m\n--user", []), ("-ocat\n--follow", ["-e"]), ("-ocat\n-e\n-n0", ["-f", "-n3"]),
            ("-ocat\n-t\nother\n-Ttest", ["--identifier=test", "-Tx"]), ("-n1", ["--no-config", "-ocat"]),
        ]
    )
    func typed(text: String, arguments: [String]) throws {
        let isUnit = arguments.contains("--user-unit=x")
        let ended = try Configured(text).run(Self.stream + arguments)
        #expect(ended.errors == "")
        #expect(ended.output == (isUnit ? "" : Export.lines(0..<3)))
    }

    @Test("with a typed format for programs, the file's options for people are ignored")
    func programs() throws {
        let configured = try Configured("--highlight=x\n--time-gap=1s")
        for format in ["json", "logfmt"] {
            #expect(try configured.run(Self.stream + ["-o", format]).status == 0)
            #expect(try configured.run(Self.stream + ["-o\(format)"]).errors == "")
        }
        let typed = try configured.run(Self.stream + ["-ojson", "--highlight=y"])
        #expect(typed.status == 2 && typed.errors.contains("--highlight is for formats"))
        let json = try Configured("-ojson").run(Self.stream + ["--time-gap=1s"])
        #expect(json.status == 2 && json.errors.contains("--no-config"), "\(json.errors)")
    }

    @Test("the file's source is used if none is typed; count and explain use no options of the file")
    func sources() throws {
        let configured = try Configured("--from=export:-\n-ocat\n--no-follow\n")
        #expect(try configured.run("tail") == .init(status: 0, output: Export.lines(0..<3), errors: ""))
        let wrong = try Configured("--bogus")
        #expect(try wrong.run("count", "--from", "export:-").output == "3\n")
        #expect(try wrong.run("explain", "priority <= err").status == 0)
        #expect(try wrong.run("sources").status == 0)
    }

    @Test(
        "a list of a journal's contents uses none of the file's options about entries",
        arguments: ["--list-boots", "-N"]
    )
    func questions(question: String) throws {
        let folder = try TemporaryFolder()
        let configured = try Configured("-f\n-ocat\n-n1\n-u\nother\n-x\n--directory=\(folder.path(""))\n--utc")
        let ended = try configured.run("tail", question)
        // Only the directory is at fault: it is empty.
        #expect(ended.status == 3 && ended.errors.contains("there is no journal file in it"), "\(ended)")
    }

    @Test(
        "an error in a line is reported with the file and the line",
        arguments: [
            ("\n--bogus", 2, ["'--bogus'"]), ("--utc=x", 1, ["'--utc' takes no value"]), ("-o", 1, ["'-o' needs"]),
            ("--utc\n-n\nten", 2, ["'ten'", "-n 20"]), ("-b\nten", 1, ["'ten'", "-1 for the boot before this one"]),
            ("#\npriority <= err", 2, ["'priority <= err'", "@errors ="]),
            ("--", 1, ["'--'"]), ("--help", 1, ["command line"]), ("--no-config", 1, ["command line"]),
            ("@", 1, ["'@'", "@name ="]), ("@Errors = true", 1, ["@name ="]), ("@a == b", 1, ["@name ="]),
            ("@a b = true", 1, ["@name ="]), ("@a =", 1, ["@name ="]), ("@-a = true", 1, ["@name ="]),
            ("@a = true\n\n@a = false", 3, ["@a", "line 1"]), ("--utc\n-g\n(", 2, ["'('", "--grep"]),
            ("\0", 1, ["zero byte"]), ("--utc\n\(String(repeating: "#", count: 4097))", 2, ["4096 bytes"]),
            (manyFilters, 101, ["more than 100 filters"]),
            (String(repeating: "--utc\n", count: 1001), 1001, ["1000"]),
        ]
    )
    func wrong(text: String, line: Int, words: [String]) throws {
        let configured = try Configured(text)
        let ended = try configured.run(Self.stream)
        #expect(ended.status == 2)
        #expect(ended.errors.contains("busctl-rx: \(configured.path), line \(line): "), "\(ended.errors)")
        for word in words { #expect(ended.errors.contains(word), "\(ended.errors)") }
    }

    @Test(
        "an error in a line shows no password",
        arguments: [
            "nats://u:secret@h/x", "--utc=nats://u:secret@h/x", "@a nats://u:secret@h/x",
            "--from=nat://u:secret@h/x", "--from=nat://u:a secret@h/x",
        ]
    )
    func secrets(text: String) throws {
        let ended = try Configured(text).run("tail")
        #expect(ended.status == 2 && ended.errors.contains("://…@h/x'"), "\(ended)")
        #expect(!ended.errors.contains("secret"), "\(ended)")
    }

    @Test("a file with errors does not affect help, version, completion and --no-config", arguments: ["--bogus", "\0"])
    func harmless(text: String) throws {
        let configured = try Configured(text)
        #expect(try configured.run(Self.stream + ["--no-config"]).status == 0)
        #expect(try configured.run("tail", "--help").status == 0)
        #expect(try configured.run("tail", "-fh").errors == "")
        #expect(try configured.run("--version").status == 0)
        #expect(try configured.run("---complete", "tail", "--no-conf").output.hasPrefix("--no-config\t"))
        // Errors in typed options are reported first.
        #expect(try configured.run("tail", "--bogus").errors.hasPrefix("busctl-rx: unknown option '--bogus'"))
    }

    @Test("options that conflict only with typed ones are reported with the file")
    func together() throws {
        let configured = try Configured("--rate=10/s\n--by=unit")
        let ended = try configured.run("tail", "--show-cursor")
        #expect(ended.status == 2)
        #expect(
            ended.errors.hasPrefix("busctl-rx: with the options of \(configured.path), which --no-config leaves out: ")
        )
        #expect(ended.errors.split(separator: "\n").count == 1)
        let boot = try Configured("-b\nall").run(Self.stream)
        #expect(boot.status == 2 && boot.errors.contains(": --boot needs a journal"), "\(boot.errors)")
    }
}
