import Bus

/// Where the messages of a subscription go. The connection's thread calls it, so each method must be quick.
protocol DBusListening: Sendable {
    /// Whether anybody still listens.
    var isWanted: Bool { get }

    func hear(_ message: DBusMessage)

    /// Messages that could not be read.
    func miss(_ count: Int)

    func fail(_ error: DBusError)
}

/// A subscriber of ``DBusConnection/signals(matching:on:limit:)``.
struct EmitterListener: DBusListening {
    let emitter: Emitter<DBusParcel, DBusError>
    private let room = DBusRoom()

    init(emitter: Emitter<DBusParcel, DBusError>) {
        self.emitter = emitter
    }

    var isWanted: Bool { emitter.demand != .stop }

    func hear(_ message: DBusMessage) { emitter.send(message, in: room) }

    func miss(_ count: Int) { emitter.sendLoss(of: count) }

    func fail(_ error: DBusError) { emitter.fail(error) }
}
