import Filter

/// A command's options by name, as they are typed: `-n`, `--lines`.
struct OptionTable: Sendable {
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

    /// An array: a dictionary would have to be made at each start, and the few words of a command line are looked up.
    private let kinds: [(name: String, kind: Kind)]

    init(
        values: [String] = [],
        flags: [String] = [],
        optional: KeyValuePairs<String, (default: String, isMeant: @Sendable (String) -> Bool)> = [:]
    ) {
        kinds =
            values.map { ($0, .value) } + flags.map { ($0, .flag) }
            + optional.map { ($0.key, .optionalValue(default: $0.value.default, isMeant: $0.value.isMeant)) }
            + ["-h", "--help", "--version"].map { ($0, .request) }
    }

    /// The options of both.
    func with(_ other: OptionTable) -> OptionTable {
        OptionTable(kinds: kinds + other.kinds)
    }

    private init(kinds: [(name: String, kind: Kind)]) {
        self.kinds = kinds
    }

    var names: Set<String> { Set(kinds.map(\.name)) }

    func kind(of name: String) -> Kind? { kinds.first { $0.name == name }?.kind }

    /// The long option that was probably meant.
    func nearest(to name: String) -> String? {
        // In order, so that of two that are equally near it is always the same one.
        Spelling.nearest(to: name, among: names.filter { $0.hasPrefix("--") }.sorted())
    }
}
