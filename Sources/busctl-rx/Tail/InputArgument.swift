/// The value of `--from`: a kind of stream and where it is, as in `export:-` or `export:/var/backups/host.export`.
enum InputArgument: Equatable {
    /// The journal export format; `-` is standard input.
    case export(path: String)

    /// As it is typed.
    var text: String {
        switch self {
        case .export(let path): "export:\(path)"
        }
    }

    init(argument: String) throws {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "export", !parts[1].isEmpty else {
            throw BadValue(description: "write export: and a path, or export:- for standard input")
        }
        self = .export(path: String(parts[1]))
    }
}
