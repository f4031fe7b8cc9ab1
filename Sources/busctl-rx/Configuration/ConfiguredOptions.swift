/// The options of the configuration file, each with the number of its line.
struct ConfiguredOptions {
    struct Item {
        let word: Word
        let line: Int
    }

    let path: String
    private(set) var items: [Item] = []

    init(_ configuration: Configuration, _ options: OptionTable) throws(ConfigurationError) {
        path = configuration.path
        var rest = configuration.arguments[...]
        while let first = rest.popFirst() {
            do throws(UsageError) {
                try append(Self.words(first.text, &rest, options), first, options)
                if items.count > ArgumentNormalizer.maxWords {
                    throw .tooMany(items.count, limit: ArgumentNormalizer.maxWords)
                }
            } catch {
                throw ConfigurationError(path: path, line: first.line, error.description)
            }
        }
    }

    /// The options as words for the parser.
    var words: [Word] { items.map(\.word) }

    /// Removes the options that typed ones replace.
    mutating func give(wayTo typed: [Word]) {
        let replaced = ReplacedOptions.names(replacedBy: typed)
        items.removeAll { $0.word.option.map(replaced.contains) ?? false }
    }

    /// The options of one line, with a value that is in the next one.
    private static func words(
        _ text: String,
        _ rest: inout ArraySlice<Configuration.Argument>,
        _ options: OptionTable
    ) throws(UsageError) -> [Word] {
        if case .optionalValue(_, let isMeant) = options.kind(of: text), let next = rest.first, isMeant(next.text) {
            rest.removeFirst()
            return try ArgumentNormalizer.normalize([text, next.text], options)
        }
        do throws(UsageError) {
            return try ArgumentNormalizer.normalize([text], options)
        } catch {
            guard case .missingValue = error, let next = rest.popFirst() else { throw error }
            return try ArgumentNormalizer.normalize([text, next.text], options)
        }
    }

    private mutating func append(
        _ words: [Word],
        _ argument: Configuration.Argument,
        _ options: OptionTable
    ) throws(UsageError) {
        guard !words.isEmpty else { throw .noOption(argument.text) }
        for word in words {
            guard let name = word.option else { throw .noOption(argument.text) }
            if case .request = options.kind(of: name) { throw .onlyTyped(name) }
            if name == "--no-config" { throw .onlyTyped(name) }
            items.append(Item(word: word, line: argument.line))
        }
    }
}
