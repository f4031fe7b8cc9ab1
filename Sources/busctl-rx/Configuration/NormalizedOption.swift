/// An option with its value, as `ArgumentNormalizer` writes it: in one word, or in two where it has to be.
struct NormalizedOption: Equatable {
    let name: String
    let words: [String]

    /// Its value; empty where it takes none.
    var value: String {
        words.count > 1 ? words[1] : String((words.first ?? "").unicodeScalars.dropFirst(name.unicodeScalars.count + 1))
    }

    /// - Parameter arguments: normalized ones. Operands are left out.
    static func all(in arguments: some Sequence<String>, _ options: OptionTable) -> [NormalizedOption] {
        var rest = Array(arguments)[...]
        var found: [NormalizedOption] = []
        while let word = rest.popFirst(), word != "--" {
            guard word.unicodeScalars.first == "-", word != "-" else { continue }
            let name = String(word.unicodeScalars.prefix { $0 != "=" })
            let isWhole = name == word && options.kind(of: name)?.takesValue == true
            found.append(
                NormalizedOption(name: name, words: [word] + (isWhole ? rest.popFirst().map { [$0] } ?? [] : []))
            )
        }
        return found
    }
}
