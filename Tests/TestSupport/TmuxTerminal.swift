import Foundation
import Glibc
import Testing

/// A terminal that `tmux` draws, with a shell on it which runs a command in a folder of its own. Both are ended with this object.
package final class TmuxTerminal: Sendable {
    /// A program that was built beside the tests.
    package static func program(_ name: String) -> String {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (runner as NSString).deletingLastPathComponent + "/" + name
    }

    package let folder: String

    package init(
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

    /// Runs a command in the shell.
    package func run(_ command: String) throws {
        try write(
            "run",
            """
            stty -g >before
            \(command)
            sh ./note $?
            """
        )
        try write("note", "stty -g >after; echo $1 >status.new; mv status.new status")
        try type("clear; . ./run", "Enter")
    }

    /// - Parameter keys: the names of keys, or texts.
    package func type(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    /// Sends a text as it is, as a terminal does.
    package func send(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    package func paste(_ text: String) throws {
        try tmux(["set-buffer", text])
        try tmux(["paste-buffer", "-p"])
    }

    package func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Has the shell continue the command that has stopped. The line feed is what it reads whatever the terminal's settings.
    package func resume() throws {
        try FileManager.default.removeItem(atPath: "\(folder)/status")
        try type("fg; sh ./note $?", "C-j")
    }

    /// Sends the command a signal.
    package func signal(_ number: CInt) throws {
        let shell = try #require(pid_t(tmux(["display-message", "-p", "#{pane_pid}"])))
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        let child = try #require(children.split(separator: " ").last.flatMap { pid_t($0) })
        try #require(kill(child, number) == 0)
    }

    package func end() throws { try tmux(["kill-server"]) }

    /// What the terminal shows.
    package var lines: [String] {
        let text = (try? tmux(["capture-pane", "-p"])) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines[...(lines.lastIndex { !$0.isEmpty } ?? 0)])
    }

    /// The same with the sequences that change colours.
    package var colored: String { (try? tmux(["capture-pane", "-p", "-e"])) ?? "" }

    /// Writes down all that the terminal gets from here on.
    package func record() throws { try tmux(["pipe-pane", "cat >'\(folder)/raw'"]) }

    /// How often the terminal was told a text since it is recorded.
    package func count(of text: String) -> Int { read("raw").ranges(of: text).count }

    /// A variable of tmux for the terminal.
    package func property(_ name: String) -> String? { try? tmux(["display-message", "-p", "#{\(name)}"]) }

    /// The exit status of the command, once it has ended or stopped.
    package var status: Int? { Int(read("status").trimmingCharacters(in: .newlines)) }

    /// The terminal's settings before and after.
    package var settings: (before: String, after: String) { (read("before"), read("after")) }

    package func read(_ file: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
    }

    package func write(_ file: String, _ text: String) throws {
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

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }
}
