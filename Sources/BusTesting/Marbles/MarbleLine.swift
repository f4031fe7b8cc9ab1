/// A parsed marble line: the signs at each step.
struct MarbleLine: Hashable, Sendable {
    struct Sign: Hashable, Sendable {
        let step: Int
        let marble: Marble
    }

    /// Sorted by step, and within a group in the order in which they are written.
    let signs: [Sign]
    /// The number of characters of the line, which is the number of steps it lasts.
    let length: Int

    init(_ line: String) throws(MarbleError) {
        var reader = MarbleReader(line)
        signs = try reader.read()
        length = reader.length
    }

    /// The steps of the first sign that is `marble`.
    func step(of marble: Marble) -> Int? { signs.first { $0.marble == marble }?.step }
}

/// Reads a line, one character after the other.
private struct MarbleReader {
    private let line: String
    private let characters: [Character]
    private var position = 0
    private var signs: [MarbleLine.Sign] = []
    private var hasEnded = false

    init(_ line: String) {
        self.line = line
        var characters = Array(line)
        while characters.last?.isWhitespace == true { characters.removeLast() }
        self.characters = characters
    }

    var length: Int { characters.count }

    mutating func read() throws(MarbleError) -> [MarbleLine.Sign] {
        while position < length, characters[position] == " " { position += 1 }
        while position < length {
            switch characters[position] {
            case "-": position += 1
            case "(": try readGroup()
            default: try readMarble(at: position)
            }
        }
        return signs
    }

    private mutating func readGroup() throws(MarbleError) {
        let start = position
        position += 1
        while position < length, characters[position] != ")" {
            guard characters[position] != "-", characters[position] != "(" else {
                throw error("within a group there is one moment only; close it with \")\" before")
            }
            try readMarble(at: start)
        }
        guard position < length else { throw error(at: start, "the group is not closed; a \")\" is missing") }
        guard position > start + 1 else { throw error(at: start, "the group is empty") }
        position += 1
    }

    private mutating func readMarble(at step: Int) throws(MarbleError) {
        let start = position
        let marble: Marble
        position += 1
        switch characters[start] {
        case "|": marble = .completed
        case "^": marble = .subscribed
        case "!": marble = .disposed
        case "x":
            marble = position < length && characters[position] == "'" ? .failed(try readQuoted()) : .failed("x")
        case "'":
            position = start
            marble = .value(try readQuoted())
        case ")": throw error(at: start, "no group is open here")
        case " ": throw error(at: start, "a moment without an event is drawn as \"-\"")
        case let character: marble = .value(String(character))
        }
        if hasEnded, marble != .disposed { throw error(at: start, "the signal has ended before; nothing can follow") }
        hasEnded = hasEnded || marble.isEnd
        signs.append(MarbleLine.Sign(step: step, marble: marble))
    }

    /// Reads the text between two quotes; the first quote is at the present position.
    private mutating func readQuoted() throws(MarbleError) -> String {
        let start = position
        guard let end = characters[(start + 1)...].firstIndex(of: "'") else {
            throw error(at: start, "the quote is not closed; a \"'\" is missing")
        }
        position = end + 1
        return String(characters[(start + 1)..<end])
    }

    private func error(at position: Int, _ reason: String) -> MarbleError {
        MarbleError(line, at: position + 1, reason)
    }

    private func error(_ reason: String) -> MarbleError { error(at: position, reason) }
}
