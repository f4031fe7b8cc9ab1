import Glibc

/// The value of `--color`.
enum ColorChoice: String, CaseIterable {
    case auto, always, never

    /// Whether there are colours: the typed option has precedence, then `NO_COLOR`, then `SYSTEMD_COLORS`, then
    /// whether the output is a terminal that knows them.
    func isOn(forTerminal isForTerminal: Bool, _ variable: (String) -> String?) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            // https://no-color.org
            if let value = variable("NO_COLOR"), !value.isEmpty { return false }
            if let value = variable("SYSTEMD_COLORS")?.lowercased() {
                return !["0", "no", "n", "false", "f", "off"].contains(value)
            }
            return isForTerminal && variable("TERM") ?? "dumb" != "dumb"
        }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
