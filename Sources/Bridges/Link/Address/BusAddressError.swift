import NATSBridge

/// Why a text is no ``BusAddress``.
public struct BusAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text, without user and password.
    public let text: String
    public let reason: String

    init(_ text: String, _ reason: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts.first.map { NATSAddress.withoutSecrets(String($0)) } ?? ""
        // A text from outside may have any length.
        self.text = String((parts.count > 1 ? "\(place)?\(parts[1])" : place).prefix(300))
        self.reason = reason
    }

    public var description: String { "cannot use \"\(text)\" as the address of a bus: \(reason)" }
}
