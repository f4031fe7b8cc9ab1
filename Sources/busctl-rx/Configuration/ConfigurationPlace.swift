/// The path of the configuration file.
struct ConfigurationPlace: Equatable {
    let path: String
    /// Whether the file was named by the user. A file at a default place may be missing.
    let isNamed: Bool

    /// `nil` if no file is to be read: `BUSCTL_RX_CONFIG` is empty, or there is no home directory.
    init?(_ environment: (String) -> String?) {
        if let named = environment("BUSCTL_RX_CONFIG") {
            guard !named.isEmpty else { return nil }
            (path, isNamed) = (named, true)
            return
        }
        let folder: String
        // The base directory specification has relative paths ignored.
        if let configuration = environment("XDG_CONFIG_HOME"), configuration.hasPrefix("/") {
            folder = configuration
        } else if let home = environment("HOME"), home.hasPrefix("/") {
            folder = home + "/.config"
        } else {
            return nil
        }
        (path, isNamed) = (folder + "/busctl-rx/config", false)
    }
}
