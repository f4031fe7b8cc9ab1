import Filter

/// A command's options by name, as they are typed: `-n`, `--lines`.
struct OptionTable: Sendable {
    enum Kind: Sendable {
        case flag
        /// The text after the name is its value.
        case value
        /// The text after the name is its value if it can be one.
        case optionalValue(isMeant: @Sendable (String) -> Bool)
        /// Answers and ends: later arguments do not count.
        case request

        var takesValue: Bool {
            switch self {
            case .value, .optionalValue: true
            case .flag, .request: false
            }
        }
    }

    private let kinds: [String: Kind]

    init(
        values: [String] = [],
        flags: [String] = [],
        optional: [String: @Sendable (String) -> Bool] = [:]
    ) {
        var kinds: [String: Kind] = [:]
        for name in values { kinds[name] = .value }
        for name in flags { kinds[name] = .flag }
        for (name, isMeant) in optional { kinds[name] = .optionalValue(isMeant: isMeant) }
        for name in ["-h", "--help", "--version"] { kinds[name] = .request }
        self.kinds = kinds
    }

    /// The options of both.
    func with(_ other: OptionTable) -> OptionTable {
        OptionTable(kinds: kinds.merging(other.kinds) { kind, _ in kind })
    }

    private init(kinds: [String: Kind]) {
        self.kinds = kinds
    }

    var names: Set<String> { Set(kinds.keys) }

    func kind(of name: String) -> Kind? { kinds[name] }

    /// The long option that was probably meant.
    func nearest(to name: String) -> String? {
        // In order, so that of two that are equally near it is always the same one.
        Spelling.nearest(to: name, among: kinds.keys.filter { $0.hasPrefix("--") }.sorted())
    }
}
