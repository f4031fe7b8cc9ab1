import Bus

/// The bus whose topics are carried, as a link uses it. It does not keep the bus alive.
struct LinkedBus {
    let bus: NotificationBus
    /// Where values that came over the link are posted. They are heard on the bus around it, too; the child's name is in their scope.
    let child: NotificationBus
    /// Takes a value that was posted here, on the poster's thread.
    let next: @Sendable (TopicName, OutgoingValue) -> Void
    /// Takes the number of values that the bus lost, on the poster's thread.
    let lost: @Sendable (TopicPattern, Int) -> Void
}

/// A topic of a bus, or all that match a pattern, as a link uses them.
protocol LinkedTopics: AnyObject, Sendable {
    /// Decodes the value of a message and posts it here.
    func post(_ message: LinkMessage, on topic: TopicName) throws
    /// Nothing more is sent or comes.
    func end()
}

/// A value that waits to be sent. It is encoded on the link's thread.
struct OutgoingValue: Sendable {
    let uptime: Int64
    let origin: CodeLocation
    let encode: @Sendable () throws -> [UInt8]
}

/// The scope of values that came over a link: a child bus of this name. Links do not send them on.
enum LinkScope {
    static let name = "(link)"

    static func isOne(_ scope: String) -> Bool {
        guard !scope.isEmpty else { return false }
        return scope == name || scope.hasSuffix("/" + name)
    }
}
