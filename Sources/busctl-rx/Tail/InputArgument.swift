import ArgumentParser

/// The value of `--from`: a kind of stream and where it is, as in `export:-` or `export:/var/backups/host.export`.
enum InputArgument: ExpressibleByArgument, Equatable {
    /// The journal export format; `-` is standard input.
    case export(path: String)

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "export", !parts[1].isEmpty else { return nil }
        self = .export(path: String(parts[1]))
    }
}
