/// A regular expression that finds text in any case, if it has no capital letter itself.
package enum SmartCase {
    /// - Parameter isSensitive: whether the case counts, if that was said.
    package static func pattern(_ typed: String, isSensitive: Bool? = nil) -> String {
        // Only capitals of ASCII count, as in journalctl.
        isSensitive ?? typed.utf8.contains { (0x41...0x5A).contains($0) } ? typed : prefix + typed
    }

    private static let prefix = "(?i)"

    /// The message about the pattern, with the expression as it was typed.
    package static func asTyped(_ reason: String, _ typed: String) -> String {
        reason.replacing(prefix + typed, with: typed, maxReplacements: 1)
    }
}
