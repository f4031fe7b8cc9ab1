/// `tail` with the options of the configuration file.
enum ConfiguredCommand {
    /// The file is not read for help, for the version, and with `--no-config`.
    static func parse(_ typed: [Word], _ table: OptionTable) throws -> TailCommand {
        let isLeftOut = typed.contains { word in
            guard let name = word.option else { return false }
            if case .request = table.kind(of: name) { return true }
            return name == "--no-config"
        }
        guard !isLeftOut, let configuration = try configuration() else {
            return try TailCommand.parse(typed)
        }
        var options = try ConfiguredOptions(configuration, table)
        options.give(wayTo: typed)
        do {
            return try TailCommand.parse(options.words + typed)
        } catch {
            // A mistake that exists without the file, too, is not the file's.
            _ = try TailCommand.parse(typed)
            throw blame(options, error)
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

    /// Finds the line that is wrong by itself; or the whole file, if it is wrong only together with the typed
    /// options.
    private static func blame(_ options: ConfiguredOptions, _ error: any Error) -> ConfigurationError {
        let text = BusctlRx.sentence(error)
        for item in options.items {
            do {
                _ = try TailCommand.parse([item.word])
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
