import Filter

/// An option as it is declared: its names, its value and its help. Parsing, completion, the help, the manual pages and the
/// configuration file know options only from this.
struct OptionDeclaration: Sendable {
    enum Kind: Sendable {
        case flag
        /// The text after the name is its value.
        case value
        /// The text after the name is its value if it can be one. Without a value, the option has the default one.
        case optionalValue(default: String, isMeant: @Sendable (String) -> Bool)
        /// Answers and ends: later arguments do not count.
        case request

        var takesValue: Bool {
            switch self {
            case .value, .optionalValue: true
            case .flag, .request: false
            }
        }
    }

    /// As they are typed: `-n`, `--lines`.
    let names: [String]
    /// The name that turns a flag off.
    var opposite: String?
    let kind: Kind
    /// How the help calls the value.
    var valueName = ""
    /// All values there are; empty if they cannot be listed.
    var choices: [String] = []
    var defaultValue: String?
    /// The line of `-h`; `nil` if only `--help` shows the option.
    var brief: String?
    let help: String
    /// The heading in the help.
    var section = ""

    var allNames: [String] { names + [opposite].compactMap { $0 } }

    /// With the name and the value, as the help shows them: `-n, --lines <count>`.
    var synopsis: String {
        let names = names.joined(separator: ", ") + (opposite.map { "/\($0)" } ?? "")
        return valueName.isEmpty ? names : "\(names) <\(valueName)>"
    }
}

/// A command's options by name.
struct OptionTable: Sendable {
    let declarations: [OptionDeclaration]

    /// - Parameter declarations: those of the command. Each command has `--version` and `--help`, too.
    init(_ declarations: [OptionDeclaration]) {
        self.declarations =
            declarations + [
                OptionDeclaration(names: ["--version"], kind: .request, help: "Show the version."),
                OptionDeclaration(
                    names: ["-h", "--help"],
                    kind: .request,
                    help: "Show the most used options, or all help."
                ),
            ]
    }

    var names: Set<String> { Set(declarations.flatMap(\.allNames)) }

    /// No dictionary, which would have to be made at each start: the few words of a command line are looked up.
    func declaration(of name: String) -> OptionDeclaration? {
        declarations.first { $0.names.contains(name) || $0.opposite == name }
    }

    func kind(of name: String) -> OptionDeclaration.Kind? { declaration(of: name)?.kind }

    /// The long option that was probably meant.
    func nearest(to name: String) -> String? {
        // In order, so that of two that are equally near it is always the same one.
        Spelling.nearest(to: name, among: names.filter { $0.hasPrefix("--") }.sorted())
    }
}
