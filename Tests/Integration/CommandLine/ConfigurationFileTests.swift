import Foundation
import Glibc
import TestSupport
import Testing

@testable import busctl_rx

@Suite("The configuration file is found by the environment, and is not trusted")
struct ConfigurationFileTests {
    private func ended(_ environment: [String: String]) throws -> TailProcess.Ended {
        try TailProcess.run("tail", "--from", "export:-", input: Export.numbers(0..<1), environment: environment)
    }

    @Test(
        "BUSCTL_RX_CONFIG has precedence over XDG_CONFIG_HOME, and that over the home directory",
        arguments: [
            (["BUSCTL_RX_CONFIG": "a", "XDG_CONFIG_HOME": "/x", "HOME": "/h"], "a"),
            (["BUSCTL_RX_CONFIG": "", "XDG_CONFIG_HOME": "/x", "HOME": "/h"], nil),
            (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/busctl-rx/config"),
            (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/busctl-rx/config"),
            (["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/busctl-rx/config"),
            (["HOME": "/h"], "/h/.config/busctl-rx/config"), (["HOME": ""], nil), ([:], nil),
        ]
    )
    func place(environment: [String: String], path: String?) {
        let place = ConfigurationPlace { environment[$0] }
        #expect(place?.path == path)
        if let place { #expect(place.isNamed == (environment["BUSCTL_RX_CONFIG"] != nil)) }
    }

    @Test("a file at a default place is read, and is optional")
    func defaults() throws {
        let folder = try TemporaryFolder()
        let home = ["HOME": folder.path("home"), "TZ": "UTC"]
        #expect(try ended(home).status == 0)
        for place in ["home/.config/busctl-rx", "other/busctl-rx"] {
            try FileManager.default.createDirectory(atPath: folder.path(place), withIntermediateDirectories: true)
            try Data("-ocat".utf8).write(to: URL(fileURLWithPath: folder.path(place + "/config")))
        }
        #expect(try ended(home) == .init(status: 0, output: "number 0\n", errors: ""))
        #expect(try ended(["XDG_CONFIG_HOME": folder.path("other")]).output == "number 0\n")
        #expect(try ended(["XDG_CONFIG_HOME": folder.path("home")]).output.contains("test: number 0\n"))
        // A file in place of a folder.
        #expect(try ended(["XDG_CONFIG_HOME": folder.path("other/busctl-rx/config")]).status == 0)
    }

    @Test(
        "a named file that cannot be read is an error of one line",
        arguments: ["nowhere", "folder", "fifo", "large"]
    )
    func unreadable(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        switch name {
        case "folder": try #require(mkdir(path, 0o700) == 0)
        case "fifo": try #require(mkfifo(path, 0o600) == 0)
        case "large": try Data(repeating: 0x0A, count: 65_537).write(to: URL(fileURLWithPath: path))
        default: break
        }
        let ended = try ended(["BUSCTL_RX_CONFIG": path])
        #expect(ended.status == 2)
        #expect(ended.output == "")
        #expect(ended.errors.hasPrefix("busctl-rx: ") && ended.errors.contains("the configuration file \(path)"))
        #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
        let names = try TailProcess.run("---complete", "tail", "@", environment: ["BUSCTL_RX_CONFIG": path])
        #expect(names == .init(status: 0, output: "", errors: ""))
    }

    @Test("64 KiB are accepted, and lines of 4 KiB")
    func largest() throws {
        let comments = String(repeating: "#" + String(repeating: "x", count: 4095) + "\n", count: 15)
        let whole = comments + "-ocat\n" + String(repeating: "\n", count: 65_536 - comments.utf8.count - 6)
        #expect(whole.utf8.count == 65_536)
        #expect(try Configured(whole).run("tail", "--from", "export:-").output == Export.lines(0..<3))
    }

    @Test(
        "a file without permission is an error if it was named or is needed, and else a warning",
        .enabled(if: geteuid() == 0 && Command.exists("/usr/bin/setpriv"), "needs root and setpriv")
    )
    func forbidden() throws {
        let folder = try TemporaryFolder()
        try #require(chmod(folder.path(""), 0o755) == 0)
        // As of the home directory of another user, nothing is known of the file, not even whether it is there.
        let home = folder.path("home")
        try #require(mkdir(home, 0o700) == 0)
        let path = home + "/.config/busctl-rx/config"
        // The program may lie where a stranger cannot go.
        let program = folder.path("busctl-rx")
        try FileManager.default.copyItem(atPath: TailProcess.program, toPath: program)
        try #require(chmod(program, 0o755) == 0)
        try Export.numbers(0..<3).write(to: URL(fileURLWithPath: folder.path("input")))
        try #require(chmod(folder.path("input"), 0o644) == 0)
        func ended(_ arguments: [String], _ environment: [String: String]) throws -> TailProcess.Ended {
            let stranger = ["--reuid", "65534", "--clear-groups", program]
            let process = try TailProcess(
                stranger + arguments,
                environment: ["LANG": "C", "TZ": "UTC"].merging(environment) { $1 },
                program: "/usr/bin/setpriv"
            )
            return try process.end()
        }
        let tail = ["tail", "--from", "export:\(folder.path("input"))", "-o", "cat"]
        let error = "cannot read the configuration file \(path): Permission denied\n"
        let warning = "busctl-rx: warning: " + error
        let output = Export.lines(0..<3)
        #expect(try ended(tail, ["HOME": home]) == .init(status: 0, output: output, errors: warning))
        #expect(
            try ended(tail, ["XDG_CONFIG_HOME": home + "/.config"]) == .init(status: 0, output: output, errors: warning)
        )
        #expect(try ended(tail + ["--no-config"], ["HOME": home]) == .init(status: 0, output: output, errors: ""))
        let named = try ended(tail, ["BUSCTL_RX_CONFIG": path])
        #expect(named == .init(status: 2, output: "", errors: "busctl-rx: " + error))
        let needed = try ended(["explain", "@errors"], ["HOME": home])
        #expect(needed == .init(status: 2, output: "", errors: "busctl-rx: " + error))
        let completed = try ended(["---complete", "tail", "@"], ["HOME": home])
        #expect(completed == .init(status: 0, output: "", errors: ""))
    }

    @Test("a line that is not UTF-8 is named")
    func invalidText() throws {
        let configured = try Configured(Data("-ocat\n".utf8) + [0xFF, 0xFE])
        let ended = try configured.run("tail", "--from", "export:-")
        #expect(ended.status == 2)
        #expect(ended.errors == "busctl-rx: \(configured.path), line 2: the line is not UTF-8 text\n")
    }
}
