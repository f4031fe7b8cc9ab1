import RecordSources
import TapBridge

/// `busctl-rx sources`
struct SourcesCommand: Command {
    static let name = "sources"
    static let summary = "List what can be listened to."
    static let usage = "busctl-rx sources"
    static let discussion = """
        Prints the kinds of sources that 'busctl-rx tail --from' takes, what each reads, and whether it is to be had here. \
        Below it lists the programs that serve a tap: sockets whose names end in .tap, in /run, in XDG_RUNTIME_DIR, or in a directory \
        of one of these.
        """

    func run() throws {
        let spellings = SourceKinds.standard.spellings
        let width = spellings.map(\.example.count).max() ?? 0
        var lines = spellings.map { spelling in
            let summary = spelling.summary + (spelling.objection().map { " (\($0))" } ?? "")
            return spelling.example + String(repeating: " ", count: width - spelling.example.count + 2) + summary
        }
        let taps = TapPath.all()
        if !taps.isEmpty { lines += ["", "Programs here that serve a tap:"] + taps.map { "unix:\(OneLine.of($0))" } }
        let output = StandardOutput()
        output.append(Array((lines.joined(separator: "\n") + "\n").utf8))
        output.close()
        guard let failure = output.reportableFailure else { throw ExitStatus.matched }
        StandardError.report(failure)
        throw ExitStatus.sourceLost
    }
}
