/// A command's words, as a POSIX shell splits them (IEEE 1003.1, section 2.2): at blanks outside of quotes.
/// Variables, patterns and other shell expansions stay as they are.
package enum CommandWords {
    /// `nil` where a quote or a backslash has nothing behind it.
    package static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var characters = text.unicodeScalars.makeIterator()
        func add(_ scalar: Unicode.Scalar) { word = (word ?? "") + String(scalar) }
        while let scalar = characters.next() {
            switch scalar {
            case " ", "\t", "\n":
                if let whole = word { words.append(whole) }
                word = nil
            case "\\":
                guard let next = characters.next() else { return nil }
                add(next)
            case "'":
                word = word ?? ""
                while true {
                    guard let next = characters.next() else { return nil }
                    if next == "'" { break }
                    add(next)
                }
            case "\"":
                word = word ?? ""
                while true {
                    guard var next = characters.next() else { return nil }
                    if next == "\"" { break }
                    if next == "\\" {
                        guard let escaped = characters.next() else { return nil }
                        if !"\"\\$`".unicodeScalars.contains(escaped) { add("\\") }
                        next = escaped
                    }
                    add(next)
                }
            default: add(scalar)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
