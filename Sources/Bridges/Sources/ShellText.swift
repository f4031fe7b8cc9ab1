/// Words as a shell reads them.
package enum ShellText {
    /// A word in quotation marks, whatever it has.
    static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }

    /// A command as a person would type it: words that mean themselves stand without quotation marks.
    package static func command(_ words: [String]) -> String {
        words.map { word in
            let isPlain =
                !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || "_-./:@%+=,".utf8.contains(byte)
                }
            return isPlain ? word : quoted(word)
        }.joined(separator: " ")
    }
}
