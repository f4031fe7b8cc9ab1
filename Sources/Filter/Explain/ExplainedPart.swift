/// One part of an expression: an operator, a function, a field or a constant, with its own parts.
public struct ExplainedPart: Sendable, Hashable {
    /// How the language writes it.
    public let name: String

    /// CEL's name for its type; `dyn` where the type is known only when a record is there.
    public let type: String

    /// Its operands or arguments, in order; empty for a field, a constant or a variable.
    public let parts: [ExplainedPart]

    init(_ name: String, _ type: StaticType, _ parts: [ExplainedPart] = []) {
        self.name = name
        self.type = type.name
        self.parts = parts
    }

    /// The tree, one part a line.
    func lines() -> [String] {
        let rows = rows()
        let width = min(60, rows.reduce(0) { max($0, $1.text.count) })
        return rows.map { row in
            row.text + String(repeating: " ", count: max(0, width - row.text.count)) + "  " + row.type
        }
    }

    private func rows() -> [(text: String, type: String)] {
        var rows = [(text: name, type: type)]
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            for (number, row) in part.rows().enumerated() {
                let branch = number == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")
                rows.append((branch + row.text, row.type))
            }
        }
        return rows
    }
}
