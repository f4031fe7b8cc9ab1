/// The configuration file: options for `tail`, one argument a line, and filters with names.
struct Configuration: Equatable {
    struct Argument: Equatable {
        let text: String
        let line: Int
    }

    static let maxFilters = 100

    let path: String
    private(set) var arguments: [Argument] = []
    private(set) var filters: [KeptFilter] = []

    /// The file of this process, `nil` if there is none. It is read once, at the first use.
    static let current = Result { () throws(ConfigurationError) -> Configuration? in
        guard let place, let lines = try ConfigurationFile.lines(at: place) else { return nil }
        return try Configuration(path: place.path, lines: lines)
    }

    static var place: ConfigurationPlace? { ConfigurationPlace(ColorChoice.environment) }

    init(path: String, lines: [String]) throws(ConfigurationError) {
        self.path = path
        for (index, line) in lines.enumerated() {
            switch line.unicodeScalars.first {
            case nil, "#": continue
            case "@": try define(line, index + 1)
            default: arguments.append(Argument(text: line, line: index + 1))
            }
        }
    }

    private mutating func define(_ text: String, _ line: Int) throws(ConfigurationError) {
        guard let filter = KeptFilter(text, line: line) else {
            throw ConfigurationError(
                path: path,
                line: line,
                "'\(text)' defines no filter. Write @name = expression, with a name of a-z, 0-9, _ and -; the value of an "
                    + "option that begins with '@' follows its name, as in --since=@1700000000"
            )
        }
        if let earlier = filters.first(where: { $0.name == filter.name }) {
            throw ConfigurationError(
                path: path,
                line: line,
                "the filter @\(filter.name) is already defined in line \(earlier.line)"
            )
        }
        guard filters.count < Self.maxFilters else {
            throw ConfigurationError(path: path, line: line, "there are more than \(Self.maxFilters) filters")
        }
        filters.append(filter)
    }

    /// The filter that an operand calls by its name.
    func filter(for operand: String) throws(ConfigurationError) -> KeptFilter {
        if let filter = filters.first(where: { "@\($0.name)" == operand }) { return filter }
        let names = filters.map { "@\($0.name)" }.joined(separator: ", ")
        throw ConfigurationError(
            "'\(operand)' is not a filter of \(path), which defines \(filters.isEmpty ? "none" : names)"
        )
    }
}

/// A mistake in the configuration file, or in its use.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// Whether it is that this user may not read a file that nobody has named. All but its filters is done without it.
    let isForbidden: Bool

    init(_ description: String, isForbidden: Bool = false) {
        self.description = description
        self.isForbidden = isForbidden
    }

    init(path: String, line: Int, _ text: String) {
        self.init("\(path), line \(line): \(text)")
    }
}
