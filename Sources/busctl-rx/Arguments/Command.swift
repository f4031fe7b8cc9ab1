import Filter

/// A command: its declaration, its values as typed, and its run.
protocol Command {
    static var name: String { get }
    static var summary: String { get }
    static var usage: String { get }
    /// Paragraphs for the help and the manual page.
    static var discussion: String { get }
    static var options: [CommandOption<Self>] { get }
    static var operands: [CommandOperand<Self>] { get }

    /// The values of an empty command line.
    init()
    /// Checks that need only the command line.
    func validate() throws
    /// Ends by throwing the exit status, or having answered.
    func run() throws
}

extension Command {
    static var options: [CommandOption<Self>] { [] }
    static var operands: [CommandOperand<Self>] { [] }
    static var table: OptionTable { OptionTable(options.map(\.declaration)) }

    func validate() throws {}

    /// - Parameter words: the words after the command's name.
    static func parse(_ words: [Word]) throws -> Self {
        // A request ends the words, and is answered whatever stands before it.
        switch words.last?.option {
        case "-h": throw Answer(text: HelpText.brief(of: Self.self))
        case "--help": throw Answer(text: HelpText.of(Self.self))
        case "--version": throw Answer(text: BusctlRx.build)
        default: break
        }
        var values = Self()
        let (options, operands) = (options, operands)
        var operand = 0
        for word in words {
            switch word {
            case .option(let name, let value):
                guard let option = options.first(where: { $0.declaration.allNames.contains(name) }) else {
                    throw UsageError.unknownOption(name, argument: name, nearest: nil)
                }
                try option.take(name, value, in: &values)
            case .operand(let text):
                guard operand < operands.count else { throw UsageError.unexpected(text) }
                do {
                    try operands[operand].act(&values, text)
                } catch {
                    throw UsageError.badValue(text, of: "<\(operands[operand].name)>", ": \(error)")
                }
                if !operands[operand].isLast { operand += 1 }
            }
        }
        if let missing = operands.dropFirst(operand).first(where: { !$0.isLast }) {
            throw UsageError.missing("<\(missing.name)>")
        }
        try values.validate()
        return values
    }
}

extension CommandOption {
    /// - Parameter name: as it was typed.
    fileprivate func take(_ name: String, _ value: String?, in values: inout Values) throws {
        guard let value else { return try act(&values, name) }
        let typed = "\(name) <\(declaration.valueName)>"
        guard declaration.choices.isEmpty || declaration.choices.contains(value) else {
            let nearest = Spelling.nearest(to: value, among: declaration.choices)
            let advice = nearest.map { ", did you mean '\($0)'?" } ?? ": write \(Self.list(declaration.choices))"
            throw UsageError.badValue(value, of: typed, advice)
        }
        do {
            try act(&values, value)
        } catch {
            throw UsageError.badValue(value, of: typed, ": \(error)")
        }
    }

    private static func list(_ choices: [String]) -> String {
        choices.dropLast().joined(separator: ", ") + (choices.last.map { " or \($0)" } ?? "")
    }
}

/// Text that the user asked for, such as help. Thrown to write it to standard output and end with success.
struct Answer: Error {
    let text: String
}

/// A mistake in what was typed that no single option shows.
struct ValidationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
