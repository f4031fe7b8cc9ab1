/// A refusal, read from the server's text, such as `Permissions Violation for Subscription to "orders.>"`.
struct NATSRefusal {
    /// The subject, or its beginning.
    let subject: String
    /// Whether it is of a subscription, and not of a message.
    let isOfSubscription: Bool
    /// libnats keeps 255 bytes of the text.
    private let isCut: Bool

    init?(_ text: String) {
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        isOfSubscription = parts[0].contains("Subscription")
        isCut = parts.count == 2
        // A character that was cut through is left out.
        subject = String(isCut ? parts[1].prefix { $0 != "\u{FFFD}" } : parts[1])
    }

    /// Whether it is of this subject, as far as the text says.
    func isOf(_ subject: String) -> Bool {
        isCut ? subject.utf8.starts(with: self.subject.utf8) : subject == self.subject
    }
}
