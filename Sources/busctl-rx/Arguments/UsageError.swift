/// A mistake in an option as it was typed.
enum UsageError: Error, Equatable {
    /// `argument` is where it was found: a cluster of short options, or the option itself.
    case unknownOption(String, argument: String, nearest: String?)
    case missingValue(option: String)
    case superfluousValue(option: String, value: String)
    case tooMany(Int, limit: Int)
    /// An operand that the command does not take.
    case unexpected(String)
    /// An option or operand that the command needs.
    case missing(String)
    /// `option` is how the option or operand is typed, and `advice` what to write.
    case badValue(String, of: String, String)
    /// A line of the configuration file that is no option.
    case noOption(String)
    /// An option that the configuration file cannot give.
    case onlyTyped(String)
}

extension UsageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownOption(let option, let argument, let nearest):
            var text = "unknown option '\(option)'"
            if argument != option { text += " in '\(argument)'" }
            if let advice = JournalctlOption.advice(for: option) {
                text += "; \(advice)"
            } else if let nearest {
                text += ", did you mean '\(nearest)'?"
            }
            // A filter such as '-1 < age' looks like a cluster.
            if argument.contains(" ") { text += "; write '--' before a filter that begins with '-'" }
            return text
        case .missingValue(let option): return "the option '\(option)' needs a value"
        case .superfluousValue(let option, let value):
            return "the option '\(option)' takes no value, but '\(value)' was given"
        case .tooMany(let count, let limit):
            return "\(count) options and operands are more than the \(limit) that are read"
        case .unexpected(let argument): return "unexpected argument '\(argument)'"
        case .missing(let argument): return "missing expected argument '\(argument)'"
        case .badValue(let value, let option, let advice):
            return "the value '\(AddressSecrets.hidden(inValue: value))' is invalid for '\(option)'\(advice)"
        case .noOption(let argument):
            return "'\(argument)' is not an option. A filter needs a name here, as in @errors = priority <= err"
        case .onlyTyped(let option): return "'\(option)' can only be given on the command line"
        }
    }
}
