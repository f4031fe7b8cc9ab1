import ArgumentParser
import DBusBridge

/// The messages to hear on buses of D-Bus.
struct DBusOptions: ParsableArguments {
    static let names = OptionTable(values: ["--match"], flags: ["--monitor"])

    @Option(
        name: .customLong("match"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "On dbus: hear what this match rule of D-Bus matches; of several rules, what any of them does. Without one, every signal.",
            valueName: "rule"
        ),
        transform: DBusMatchArgument.init
    )
    var matches: [DBusMatchArgument] = []

    @Flag(
        help: """
            On dbus: hear the messages of others, too: calls, answers, errors and signals to one receiver. The bus of the system \
            lets only root do so.
            """
    )
    var monitor = false

    var choice: DBusChoice { DBusChoice(matches: matches.map(\.match), isMonitoring: monitor) }

    /// Refuses options that no source uses.
    func require(_ sources: [SourceArgument]) throws {
        guard !matches.isEmpty || monitor else { return }
        guard sources.contains(where: { $0.kind == .dbus }) else {
            throw ValidationError(
                "\(monitor ? "--monitor" : "--match") chooses what is heard on a bus of D-Bus. Give --from dbus:system, too."
            )
        }
        if !monitor, let match = matches.first(where: { $0.match.kind ?? .signal != .signal }) {
            throw ValidationError("--match '\(match.text)' asks for more than signals. Give --monitor, too.")
        }
    }
}

/// The same, as it is resolved.
struct DBusChoice: Sendable {
    /// Any of them; with none, everything that is heard.
    let matches: [DBusMatch]
    let isMonitoring: Bool
}

/// The value of `--match`.
struct DBusMatchArgument: Equatable {
    let match: DBusMatch
    /// As it is typed.
    let text: String

    init(argument: String) throws {
        text = argument
        do throws(DBusRuleError) {
            match = try DBusMatch(rule: argument)
        } catch {
            throw BadValue(description: "at byte \(error.offset + 1), \(error.reason)")
        }
    }
}
