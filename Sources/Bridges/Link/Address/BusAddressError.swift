import NATSBridge

/// Why a text is no ``BusAddress``.
public struct BusAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text, without user and password.
    public let text: String
    /// What is wrong with the text or what to write, for a person, without a full stop.
    public let reason: String

    init(_ text: String, _ reason: String) {
        // Where an address ends is not certain when something is wrong with it: nothing before the last @ is shown. A text from outside
        // may have any length.
        self.text = String((text.contains("://") ? NATSAddress.withoutSecrets(text) : text).prefix(300))
        self.reason = reason
    }

    public var description: String { "cannot use \"\(text)\" as the address of a bus: \(reason)" }
}
