/// A regular expression that finds text in any case, if it has no capital letter itself.
enum SmartCase {
    static func pattern(_ typed: String) -> String {
        // Only capitals of ASCII count, as in journalctl.
        typed.utf8.contains { (0x41...0x5A).contains($0) } ? typed : prefix + typed
    }

    private static let prefix = "(?i)"

    /// The message about the pattern, with the expression as it was typed.
    static func asTyped(_ reason: String, _ typed: String) -> String {
        pattern(typed) == typed ? reason : reason.replacing(prefix + typed, with: typed, maxReplacements: 1)
    }
}
