import TestSupport
import Testing

extension TmuxTerminal {
    /// Runs `screen-probe`, which shows these texts.
    ///
    /// - Parameters:
    ///   - command: is in front of the probe's name, as `env`.
    ///   - redirection: is behind its arguments.
    func run(_ texts: [String], after command: String = "", with redirection: String = "") throws {
        try write("texts", texts.joined(separator: "\0"))
        // Where it is killed while Leak Sanitizer stops its threads, it would run for ever.
        let probe = "'\(Self.program("screen-probe"))' log texts"
        try run("ASAN_OPTIONS=\"$ASAN_OPTIONS detect_leaks=0\" \(command) \(probe) \(redirection)")
    }

    /// The same, and waits until the texts are there.
    func show(_ texts: [String] = [], after command: String = "", with redirection: String = "") async throws {
        try run(texts, after: command, with: redirection)
        await until { self.log.first?.hasPrefix("shown") == true }
    }

    /// What the probe wrote down.
    var log: [String] { read("log").split(separator: "\n").map(String.init) }
}
