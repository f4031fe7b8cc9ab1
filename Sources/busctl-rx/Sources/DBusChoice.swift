import DBusBridge

extension SourceOptions {
    /// The messages to hear on buses of D-Bus.
    var dbus: DBusChoice { DBusChoice(matches: busMatches.map(\.match), isMonitoring: monitor) }

    /// Refuses options that no source uses.
    func requireDBus() throws {
        guard !busMatches.isEmpty || monitor else { return }
        guard sources.contains(where: { $0.kind == .dbus }) else {
            throw ValidationError(
                "\(monitor ? "--monitor" : "--match") chooses what is heard on a bus of D-Bus. Give --from dbus:system, too."
            )
        }
        if !monitor, let match = busMatches.first(where: { $0.match.kind ?? .signal != .signal }) {
            throw ValidationError("--match '\(match.text)' asks for more than signals. Give --monitor, too.")
        }
    }
}

/// The messages to hear on buses of D-Bus.
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
