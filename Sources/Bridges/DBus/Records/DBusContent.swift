public import Records

/// A message of D-Bus as the content of a record.
///
/// The record has these fields, each where the message has it:
///
/// | field | what it holds |
/// | --- | --- |
/// | `type` | `signal`, `method_call`, `method_return` or `error` |
/// | `sender`, `sender_name` | the sender's unique name, and the well-known names that it is known to own |
/// | `destination`, `path`, `interface`, `member`, `error_name` | as the message's header has them |
/// | `cookie`, `reply_cookie` | the message's number, and that of the call that it answers |
/// | `unit` | the unit that a message from or to systemd is about |
/// | `signature`, `args` | the types of the arguments, and a list of the arguments |
///
/// A filter reads `args` as a list of numbers, texts, lists and maps, and a variant as its content. In a filter,
/// `sender` is any of the sender's names. As JSON, `args` is what `busctl --json` calls the payload's data: there a
/// variant is an object with `type` and `data`.
///
/// An error has the severity `warning`. Other messages have none.
public struct DBusContent: RecordContent {
    /// The message as it came, with all its arguments.
    public let message: DBusMessage

    /// The well-known names of the sender, as far as they are known.
    package let senderNames: [String]

    /// A message as a record's content. Its `sender_name` is the name by which a match followed the sender, if one did.
    public init(_ message: DBusMessage) {
        self.init(message, senderNames: message.senderName.map { [$0] } ?? [])
    }

    /// - Parameters:
    ///   - message: the message.
    ///   - senderNames: the names that the sender owns.
    package init(_ message: DBusMessage, senderNames: [String]) {
        self.message = message
        self.senderNames = senderNames
    }

    public var severity: Severity? { message.kind == .error ? .warning : nil }

    public var footprint: Int { message.footprint }

    public var speaker: String? { senderNames.first ?? message.sender }

    public func withMessage<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        DBusLine(message).text.withUnsafeBytes(body)
    }

    public func withFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        DBusFields(self).all(.plain).withFields(body)
    }

    public func withExactFields<Result>(_ body: (UnsafeBufferPointer<RecordField>) -> Result) -> Result {
        DBusFields(self).all(.exact).withFields(body)
    }

    public func withFields<Result>(
        named names: [[UInt8]],
        _ body: (UnsafeBufferPointer<RecordField>) -> Result
    ) -> Result {
        DBusFields(self).read(by: names).withFields(body)
    }
}
