/// Writes the options of a command line one to an argument, each joined with its value, as swift-argument-parser
/// understands them without doubt: `-fn5` becomes `-f -n=5`, `--count 3` becomes `--count=3`.
///
/// Without this, the parser takes `-n50` for a long option, `-1h` after an unknown option for the flags `-1` and
/// `-h`, and the `-o` in `-n0 -o` for the value of `-n`.
struct ArgumentNormalizer {
    /// The parser's time grows with the square of their number: 1000 take it half a second, 10,000 a minute.
    static let most = 1000

    private let options: OptionTable
    private var rest: ArraySlice<String>
    private var result: [String] = []
    /// No further argument is an option.
    private var isOver = false

    /// - Parameter arguments: the arguments after the command's name.
    static func normalize(_ arguments: some Sequence<String>, _ options: OptionTable) throws(UsageError) -> [String] {
        var normalizer = ArgumentNormalizer(options: options, rest: Array(arguments)[...])
        while !normalizer.isOver, let argument = normalizer.rest.popFirst() { try normalizer.take(argument) }
        let result = normalizer.result + normalizer.rest
        guard result.count <= most else { throw .tooMany(result.count, most: most) }
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
            result.append(argument)
            isOver = true
        } else if scalars.starts(with: "--".unicodeScalars) {
            try takeLong(argument)
        } else if scalars.first == "-", scalars.count > 1 {
            try takeCluster(argument)
        } else {
            result.append(argument)
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
                // The parser would take `-n=5`, too.
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
            append(name, value)
        case .optionalValue(let defaultValue, let isMeant):
            let next = attached == nil ? rest.first.flatMap { isMeant($0) ? rest.popFirst() : nil } : nil
            append(name, attached ?? next ?? defaultValue)
        case let kind?:
            if let attached { throw .superfluousValue(option: name, value: attached) }
            result.append(name)
            if case .request = kind { end() }
        case nil:
            throw .unknownOption(name, argument: argument, nearest: options.nearest(to: name))
        }
    }

    private mutating func append(_ name: String, _ value: String) {
        let joined = "\(name)=\(value)"
        // The parser finds neither an empty value nor, as it compares characters, an equals sign with a combining mark.
        let isFound = joined.dropFirst(name.count).first == "=" && !value.isEmpty
        result += isFound ? [joined] : [name, value]
    }

    private mutating func end() {
        rest = []
        isOver = true
    }
}
