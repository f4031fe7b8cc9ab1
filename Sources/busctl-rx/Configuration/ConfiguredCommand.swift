import ArgumentParser

/// The command that was typed, with the options of the configuration file.
struct ConfiguredCommand {
    private var command: any ParsableCommand

    /// The file is not read for help, for the version, with `--no-config`, and for commands other than `tail`.
    static func parse() throws -> ConfiguredCommand {
        let typed = try Arguments.normalized()
        guard let name = Arguments.command, name == "tail", let table = Arguments.options(of: name) else {
            return ConfiguredCommand(command: try BusctlRx.parseCommand(typed))
        }
        let typedOptions = NormalizedOption.all(in: typed.dropFirst(), table)
        let isLeftOut = typedOptions.contains { option in
            if case .request = table.kind(of: option.name) { true } else { option.name == "--no-config" }
        }
        guard !isLeftOut, let configuration = try configuration() else {
            return ConfiguredCommand(command: try BusctlRx.parseCommand(typed))
        }
        var options = try ConfiguredOptions(configuration, table)
        options.give(wayTo: typedOptions)
        do {
            return ConfiguredCommand(command: try BusctlRx.parseCommand([name] + options.words + typed.dropFirst()))
        } catch {
            // A mistake that exists without the file, too, is not the file's.
            _ = try BusctlRx.parseAsRoot(typed)
            throw blame(options, name, error)
        }
    }

    /// `nil` if there is none, or none that may be read.
    private static func configuration() throws(ConfigurationError) -> Configuration? {
        do throws(ConfigurationError) {
            return try Configuration.current.get()
        } catch {
            guard error.isForbidden else { throw error }
            StandardError.report("warning: \(error)")
            return nil
        }
    }

    mutating func run() throws { try command.run() }

    /// Finds the line that is wrong by itself; or the whole file, if it is wrong only together with the typed
    /// options.
    private static func blame(
        _ options: ConfiguredOptions,
        _ name: String,
        _ error: any Error
    ) -> ConfigurationError {
        let text = BusctlRx.sentence(error)
        for item in options.items {
            do {
                _ = try BusctlRx.parseAsRoot([name] + item.option.words)
            } catch  where BusctlRx.sentence(error) == text {
                return ConfigurationError(path: options.path, line: item.line, text)
            } catch {
                // Wrong by itself, like --by, it may be right with the others.
                continue
            }
        }
        return ConfigurationError(
            "with the options of \(options.path), which --no-config leaves out: \(text)"
        )
    }
}
