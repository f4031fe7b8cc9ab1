import Bus

/// The destination of a subscription's messages. The connection's thread calls it, so each method must be quick.
protocol DBusListening: Sendable {
    /// Whether anybody still listens.
    var isWanted: Bool { get }

    /// Whether to read the arguments of the message with this header, and to hear it. It has no arguments yet.
    func admits(_ header: DBusMessage) -> Bool

    func hear(_ message: DBusMessage)

    /// Messages that could not be read.
    func miss(_ count: Int)

    func fail(_ error: DBusError)
}

extension DBusListening {
    func admits(_ header: DBusMessage) -> Bool { true }
}

/// Tests a message that has only its header: false leaves the message out. On the connection's thread.
package typealias DBusHeaderTest = @Sendable (DBusMessage) -> Bool

/// A subscriber of ``DBusConnection/signals(matching:on:limit:)``.
struct EmitterListener: DBusListening {
    let emitter: Emitter<DBusParcel, DBusError>
    private let test: DBusHeaderTest?
    private let capacity = DBusCapacity()

    init(emitter: Emitter<DBusParcel, DBusError>, admitting test: DBusHeaderTest?) {
        self.emitter = emitter
        self.test = test
    }

    var isWanted: Bool { emitter.demand != .stop }

    func admits(_ header: DBusMessage) -> Bool { test?(header) ?? true }

    func hear(_ message: DBusMessage) { emitter.send(message, in: capacity) }

    func miss(_ count: Int) { emitter.sendLoss(of: count) }

    func fail(_ error: DBusError) { emitter.fail(error) }
}
