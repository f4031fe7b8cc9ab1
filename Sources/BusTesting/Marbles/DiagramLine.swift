/// One line of a diagram: a name, and signs.
struct DiagramLine: Sendable {
    let name: String
    /// The signs as they are written, from the first column on.
    let drawing: String
    let marbles: MarbleLine?
    let error: MarbleError?

    init(name: String, drawing: String) {
        self.name = name
        self.drawing = drawing
        do throws(MarbleError) {
            marbles = try MarbleLine(drawing)
            error = nil
        } catch {
            marbles = nil
            self.error = error
        }
    }

    var length: Int { marbles?.length ?? 0 }

    /// Whether it only says when something is subscribed to.
    var isWindow: Bool {
        guard let signs = marbles?.signs, !signs.isEmpty else { return false }
        return signs.allSatisfy { $0.marble == .subscribed || $0.marble == .disposed }
    }

    static func lines(of text: String) -> [DiagramLine] {
        let lines = text.split(separator: "\n").map { Array($0) }.filter { !$0.allSatisfy(\.isWhitespace) }
        let starts = lines.map(startOfDrawing)
        // The first column is that of the drawing that begins furthest to the left.
        let margin = starts.min() ?? 0
        return zip(lines, starts).map { line, start in
            DiagramLine(
                name: String(line[..<start]).trimmingSpaces(),
                drawing: String(repeating: " ", count: start - margin) + String(line[start...])
            )
        }
    }

    /// The index after the last space that is not in quotes and has a sign after it.
    private static func startOfDrawing(_ line: [Character]) -> Int {
        var start = 0
        var isQuoted = false
        for (index, character) in line.enumerated() where index < line.endOfText {
            if character == "'" { isQuoted.toggle() }
            if character.isWhitespace, !isQuoted { start = index + 1 }
        }
        return start
    }
}

extension [Character] {
    fileprivate var endOfText: Int { (lastIndex { !$0.isWhitespace } ?? -1) + 1 }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
