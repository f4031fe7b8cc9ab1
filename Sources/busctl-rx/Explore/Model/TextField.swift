import Terminal

/// A line of text that is edited.
struct TextField: Equatable {
    private(set) var characters: [Character] = []
    /// How many characters stand before the cursor.
    private(set) var cursor = 0

    /// A longer text cannot be typed.
    static let maxLength = 4096

    init(_ text: String = "") {
        self.text = text
    }

    var text: String {
        get { String(characters) }
        set {
            // A line may end a comment.
            characters = newValue.map { $0.isNewline ? "\n" : $0 }
            cursor = characters.count
        }
    }

    /// The text before the cursor.
    var head: String { String(characters[..<cursor]) }

    mutating func insert(_ text: some Sequence<Character>) {
        // One line, whatever is pasted.
        let new = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }.prefix(max(0, Self.maxLength - characters.count))
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }

    /// Takes a key as shells do. False if it means nothing here.
    mutating func take(_ event: ScreenEvent) -> Bool {
        switch event {
        case .text(let character): insert(CollectionOfOne(character))
        case .paste(let text): insert(text)
        case .key(.left), .key(.control("b")): cursor = max(0, cursor - 1)
        case .key(.right), .key(.control("f")): cursor = min(characters.count, cursor + 1)
        case .key(.home), .key(.control("a")): cursor = 0
        case .key(.end), .key(.control("e")): cursor = characters.count
        case .key(.backspace), .key(.control("h")): remove(from: max(0, cursor - 1), to: cursor)
        case .key(.delete), .key(.control("d")): remove(from: cursor, to: min(characters.count, cursor + 1))
        case .key(.control("u")): remove(from: 0, to: cursor)
        case .key(.control("k")): remove(from: cursor, to: characters.count)
        case .key(.control("w")), .key(.alt("\u{7F}")): remove(from: wordBegin, to: cursor)
        default: return false
        }
        return true
    }

    private mutating func remove(from begin: Int, to end: Int) {
        characters.removeSubrange(begin..<end)
        cursor = begin
    }

    private var wordBegin: Int {
        var begin = cursor
        while begin > 0, characters[begin - 1] == " " { begin -= 1 }
        while begin > 0, characters[begin - 1] != " " { begin -= 1 }
        return begin
    }
}
