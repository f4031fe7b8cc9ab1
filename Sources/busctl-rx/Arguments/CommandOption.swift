/// An option of a command, and what it does to the command's values.
struct CommandOption<Values> {
    /// Sets the option. For a flag, the text is the name that was typed.
    typealias Action = (inout Values, String) throws -> Void

    let declaration: OptionDeclaration
    let act: Action

    /// An option without a value.
    ///
    /// - Parameter brief: the line of `-h`, where the option is shown.
    static func flag(
        _ names: String...,
        brief: String? = nil,
        help: String,
        _ act: @escaping (inout Values) -> Void
    ) -> CommandOption {
        CommandOption(
            declaration: OptionDeclaration(names: names, kind: .flag, brief: brief, help: help)
        ) { values, _ in act(&values) }
    }

    /// An option without a value, and its opposite. Of both, the one that is typed last counts.
    ///
    /// - Parameter act: gets false for the opposite.
    static func toggle(
        _ names: String...,
        opposite: String,
        brief: String? = nil,
        help: String,
        _ act: @escaping (inout Values, Bool) -> Void
    ) -> CommandOption {
        CommandOption(
            declaration: OptionDeclaration(names: names, opposite: opposite, kind: .flag, brief: brief, help: help)
        ) { values, name in act(&values, name != opposite) }
    }

    /// An option with a value.
    ///
    /// - Parameters:
    ///   - valueName: how the help calls the value.
    ///   - brief: the line of `-h`, where the option is shown.
    ///   - choices: all values there are; others are refused.
    ///   - defaultValue: the value without the option, if the help is to say it.
    static func value(
        _ names: String...,
        of valueName: String,
        in choices: [String] = [],
        default defaultValue: String? = nil,
        brief: String? = nil,
        help: String,
        _ act: @escaping Action
    ) -> CommandOption {
        var declaration = OptionDeclaration(names: names, kind: .value, valueName: valueName, brief: brief, help: help)
        declaration.choices = choices
        declaration.defaultValue = defaultValue
        return CommandOption(declaration: declaration, act: act)
    }

    /// An option whose value may be left out.
    ///
    /// - Parameters:
    ///   - implied: the value in that case.
    ///   - isMeant: whether the next word is its value.
    static func optionalValue(
        _ names: String...,
        of valueName: String,
        implied: String,
        where isMeant: @escaping @Sendable (String) -> Bool,
        brief: String? = nil,
        help: String,
        _ act: @escaping Action
    ) -> CommandOption {
        CommandOption(
            declaration: OptionDeclaration(
                names: names,
                kind: .optionalValue(default: implied, isMeant: isMeant),
                valueName: valueName,
                brief: brief,
                help: help
            ),
            act: act
        )
    }

    /// The same option of a command that has these values among others.
    ///
    /// - Parameters:
    ///   - section: the heading in the help.
    ///   - lend: lends the values to a closure.
    func within<Whole>(
        _ section: String,
        _ lend: @escaping (inout Whole, (inout Values) throws -> Void) throws -> Void
    ) -> CommandOption<Whole> {
        var declaration = declaration
        declaration.section = section
        return CommandOption<Whole>(declaration: declaration) { [act] whole, value in
            try lend(&whole) { try act(&$0, value) }
        }
    }
}

/// An operand of a command: a word that is no option.
struct CommandOperand<Values> {
    /// How the help calls it.
    let name: String
    let help: String
    /// Whether it takes all words that are left.
    var isLast = false
    let act: CommandOption<Values>.Action
}
