/// A word of a command line, or an option with its value.
enum Word: Equatable {
    /// The name as it was typed; the value is `nil` if the option takes none.
    case option(String, value: String?)
    case operand(String)

    /// The option's name.
    var option: String? {
        if case .option(let name, _) = self { name } else { nil }
    }

    /// The value of an option.
    var value: String {
        if case .option(_, let value?) = self { value } else { "" }
    }
}

/// Takes the arguments of a command apart by the usual rules of Unix: short options cluster (`-fn5`), a value is joined to its option or
/// follows it, `--` ends the options.
struct ArgumentNormalizer {
    /// How many there may be, so that a mistake such as a pattern for all files is noticed.
    static let maxWords = 1000

    private let options: OptionTable
    private var rest: ArraySlice<String>
    private var result: [Word] = []
    /// No further argument is an option.
    private var isOver = false

    /// - Parameter arguments: the arguments after the command's name.
    static func normalize(_ arguments: some Sequence<String>, _ options: OptionTable) throws(UsageError) -> [Word] {
        var normalizer = ArgumentNormalizer(options: options, rest: Array(arguments)[...])
        while !normalizer.isOver, let argument = normalizer.rest.popFirst() { try normalizer.take(argument) }
        let result = normalizer.result + normalizer.rest.map { .operand($0) }
        guard result.count <= maxWords else { throw .tooMany(result.count, limit: maxWords) }
        return result
    }

    private init(options: OptionTable, rest: ArraySlice<String>) {
        self.options = options
        self.rest = rest
    }

    private mutating func take(_ argument: String) throws(UsageError) {
        // By scalars: a combining mark must not hide the character that it follows.
        let scalars = argument.unicodeScalars
        if argument == "--" {
            isOver = true
        } else if scalars.starts(with: "--".unicodeScalars) {
            try takeLong(argument)
        } else if scalars.first == "-", scalars.count > 1 {
            try takeCluster(argument)
        } else {
            result.append(.operand(argument))
        }
    }

    private mutating func takeLong(_ argument: String) throws(UsageError) {
        let parts = argument.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let value = parts.count > 1 ? String(parts[1]) : nil
        try take(name, value, in: name)
    }

    private mutating func takeCluster(_ argument: String) throws(UsageError) {
        var letters = argument.unicodeScalars.dropFirst()
        while !isOver, let letter = letters.popFirst() {
            let name = "-\(letter)"
            var value: String?
            if let kind = options.kind(of: name), kind.takesValue, !letters.isEmpty {
                value = String(letters.first == "=" ? letters.dropFirst() : letters)
                letters = letters.prefix(0)
            }
            try take(name, value, in: argument)
        }
    }

    private mutating func take(_ name: String, _ attached: String?, in argument: String) throws(UsageError) {
        switch options.kind(of: name) {
        case .value:
            guard let value = attached ?? rest.popFirst() else { throw .missingValue(option: name) }
            result.append(.option(name, value: value))
        case .optionalValue(let defaultValue, let isMeant):
            let next = attached == nil ? rest.first.flatMap { isMeant($0) ? rest.popFirst() : nil } : nil
            result.append(.option(name, value: attached ?? next ?? defaultValue))
        case let kind?:
            if let attached { throw .superfluousValue(option: name, value: attached) }
            result.append(.option(name, value: nil))
            if case .request = kind { end() }
        case nil:
            throw .unknownOption(name, argument: argument, nearest: options.nearest(to: name))
        }
    }

    private mutating func end() {
        rest = []
        isOver = true
    }
}
