/// A regular expression that finds text in any case, if it has no capital letter itself.
enum SmartCase {
    /// - Parameter isSensitive: whether the case counts, if that was said.
    static func pattern(_ typed: String, isSensitive: Bool? = nil) -> String {
        // Only capitals of ASCII count, as in journalctl.
        isSensitive ?? typed.utf8.contains { (0x41...0x5A).contains($0) } ? typed : prefix + typed
    }

    /// The value of `--case-sensitive`, as systemd reads a truth value.
    static func choice(_ typed: String) throws -> Bool {
        switch typed.lowercased() {
        case "1", "yes", "y", "true", "t", "on": return true
        case "0", "no", "n", "false", "f", "off": return false
        default: throw BadValue(description: "write yes or no, or leave it out for yes")
        }
    }

    private static let prefix = "(?i)"

    /// The message about the pattern, with the expression as it was typed.
    static func asTyped(_ reason: String, _ typed: String) -> String {
        reason.replacing(prefix + typed, with: typed, maxReplacements: 1)
    }
}
