/// Acknowledgements of one consuming that are asked for in a row, without another command between them. They are sent together.
// Unchecked: it grows under the lock of the link's commands, and is read when it is no longer among them.
final class NATSAcknowledging: @unchecked Sendable {
    struct Item {
        /// Where the message is acknowledged.
        let reply: String
        let sequence: UInt64
    }

    let consuming: NATSConsuming
    private(set) var items: [Item]

    init(_ consuming: NATSConsuming, _ first: Item) {
        self.consuming = consuming
        items = [first]
    }

    func add(_ item: Item) { items.append(item) }
}
