import JournalBridge

/// The filter, as it is typed beside the options.
struct FilterOperands {
    static var options: [CommandOption<Self>] {
        [
            .flag("--no-config", help: "Leave out the configuration file, with its options and filters.") {
                $0.noConfig = true
            }
        ]
    }

    var noConfig = false
    /// All words. There is never more than one filter; further words were meant to be part of it.
    var all: [String] = []

    /// - Parameter lend: lends these values to a closure.
    static func operand<Whole>(
        _ lend: @escaping (inout Whole, (inout Self) throws -> Void) throws -> Void
    ) -> CommandOperand<Whole> {
        CommandOperand(
            name: "filter",
            help:
                "The expression that selects entries, or FIELD=value … or paths as for journalctl; and @name … of the configuration file.",
            isLast: true
        ) { whole, text in try lend(&whole) { $0.all.append(text) } }
    }

    /// The operands that are a filter, or parts of one.
    var typed: [String] { all.filter { !KeptFilter.isCalled(by: $0) } }

    /// The filters of the configuration file that are called by their names. Without one, the file is not looked at.
    func kept() throws(ConfigurationError) -> [KeptFilter] {
        let names = all.filter(KeptFilter.isCalled)
        guard let first = names.first else { return [] }
        guard !noConfig else {
            throw ConfigurationError("'\(first)' is unknown, because --no-config leaves out the configuration file")
        }
        guard let configuration = try Configuration.current.get() else {
            let place = Configuration.place.map { "there is no file \($0.path)" } ?? "no configuration file is read"
            throw ConfigurationError("'\(first)' is unknown: \(place)")
        }
        var filters: [KeptFilter] = []
        for name in names { filters.append(try configuration.filter(for: name)) }
        return filters
    }

    /// The words as journalctl's arguments; `nil` where they are a filter.
    func matches() throws(ValidationError) -> JournalMatches? {
        do throws(JournalMatchError) {
            return try JournalMatches(typed)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func validate() throws {
        if try matches() == nil, typed.count > 1 { throw FilterArgument.interrupted(by: typed[1]) }
    }
}
