import Foundation
import Glibc
import TestSupport
import Testing

/// A terminal that `tmux` draws, with a shell on it which runs `screen-probe`. It is ended with this object.
final class TmuxTerminal: Sendable {
    private static let probe: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (runner as NSString).deletingLastPathComponent + "/screen-probe"
    }()

    private let folder: String

    init(
        columns: Int = 80,
        rows: Int = 24,
        type: String = "xterm-256color",
        environment: [String: String] = ["LANG": "C.UTF-8"]
    ) throws {
        var name = Array("/tmp/busctl-rx-tmux-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&name))
        folder = String(cString: made)
        try write("configuration", "set -g default-terminal \(type)\nset -g default-shell /bin/sh\n")
        let variables = environment.merging(["PS1": "$ ", "ENV": ""]) { $1 }
        try tmux(
            ["-f", "\(folder)/configuration", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder]
                + variables.flatMap { ["-e", "\($0)=\($1)"] } + ["exec sh"]
        )
    }

    deinit {
        // The test may have ended it.
        _ = try? tmux(["kill-server"])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs the probe, which shows these texts, in the shell.
    ///
    /// - Parameters:
    ///   - command: is in front of the probe's name, as `env`.
    ///   - redirection: is behind its arguments.
    func run(_ texts: [String], after command: String = "", with redirection: String = "") throws {
        try write("texts", texts.joined(separator: "\0"))
        try write(
            "run",
            """
            stty -g >before
            \(command) '\(Self.probe)' log texts \(redirection)
            sh ./note $?
            """
        )
        try write("note", "stty -g >after; echo $1 >status.new; mv status.new status")
        try type("clear; . ./run", "Enter")
    }

    /// The same, and waits until the texts are there.
    func show(_ texts: [String] = [], after command: String = "", with redirection: String = "") async throws {
        try run(texts, after: command, with: redirection)
        await until { self.log.first?.hasPrefix("shown") == true }
    }

    /// - Parameter keys: the names of keys, or texts.
    func type(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// Sends a text as it is, as a terminal does.
    func send(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    func paste(_ text: String) throws {
        try tmux(["set-buffer", text])
        try tmux(["paste-buffer", "-p"])
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Has the shell continue the probe that has stopped. The line feed is what it reads whatever the terminal's settings.
    func resume() throws {
        try FileManager.default.removeItem(atPath: "\(folder)/status")
        try type("fg; sh ./note $?", "C-j")
    }

    /// Sends the probe a signal.
    func signal(_ number: CInt) throws {
        let shell = try #require(pid_t(tmux(["display-message", "-p", "#{pane_pid}"])))
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        let probe = try #require(children.split(separator: " ").last.flatMap { pid_t($0) })
        try #require(kill(probe, number) == 0)
    }

    func end() throws { try tmux(["kill-server"]) }

    /// What the terminal shows.
    var lines: [String] {
        let text = (try? tmux(["capture-pane", "-p"])) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines[...(lines.lastIndex { !$0.isEmpty } ?? 0)])
    }

    /// The same with the sequences that change colours.
    var colored: String { (try? tmux(["capture-pane", "-p", "-e"])) ?? "" }

    /// A variable of tmux for the terminal.
    func property(_ name: String) -> String? { try? tmux(["display-message", "-p", "#{\(name)}"]) }

    /// What the probe wrote down.
    var log: [String] { read("log").split(separator: "\n").map(String.init) }

    /// The exit status of the probe, once it has ended or stopped.
    var status: Int? { Int(read("status").trimmingCharacters(in: .newlines)) }

    /// The terminal's settings before and after.
    var settings: (before: String, after: String) { (read("before"), read("after")) }

    private func read(_ file: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
    }

    private func write(_ file: String, _ text: String) throws {
        try text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        // `swift test` sets it.
        let words = ["env", "-u", "NO_COLOR", "tmux", "-u", "-S", "\(folder)/socket"] + arguments
        let command = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        // Foundation would wait for the server, too, which inherits its descriptors.
        guard let output = popen("\(command) </dev/null 2>&1", "re") else {
            throw Failure(description: "no shell, errno \(errno)")
        }
        var bytes: [UInt8] = []
        while let byte = UInt8(exactly: getc(output)) { bytes.append(byte) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard pclose(output) == 0 else { throw Failure(description: "tmux \(arguments): \(text)") }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
