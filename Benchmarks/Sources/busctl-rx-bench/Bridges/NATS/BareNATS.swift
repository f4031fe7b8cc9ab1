import NATSFloor

/// A connection of bare libnats.
struct BareNATS {
    let connection: UnsafeMutableRawPointer

    init(_ server: NATSServer) throws {
        var connection: UnsafeMutableRawPointer?
        try Self.check(nats_floor_connect(&connection, server.url), "connect")
        guard let connection else { throw Complaint("libnats made no connection") }
        self.connection = connection
    }

    static func check(_ status: CInt, _ what: String) throws {
        if status != 0 { throw Complaint("libnats cannot \(what): status \(status)") }
    }

    func publish(_ count: Int, _ kind: NATSKind, to subject: String) throws {
        let status = nats_floor_publish(connection, subject, CInt(kind.size), kind.headersFlag, Int64(count))
        try Self.check(status, "publish")
    }

    func store(_ count: Int, _ kind: NATSKind, to subject: String, pending: Int) throws {
        let status = nats_floor_store(
            connection,
            subject,
            CInt(kind.size),
            kind.headersFlag,
            Int64(count),
            Int64(pending)
        )
        try Self.check(status, "store messages")
    }

    func makeStream(_ name: String, of subject: String, keeping most: Int) throws {
        try Self.check(nats_floor_stream(connection, name, subject, Int64(most)), "make a stream")
    }

    /// Where bare messages come from.
    enum Source {
        case subject(String)
        /// A stream, with the name of a durable consumer or none.
        case stream(String, subject: String, consumer: String?, window: Int)
    }

    /// Listens, calls `ask`, which lets messages be sent, and returns the sum of their numbers.
    ///
    /// - Parameter copies: whether the callback copies all that a message has, as a program does that keeps it.
    func hear(_ count: Int, of source: Source, copies: Bool, _ ask: () throws -> Void = {}) throws -> UInt64 {
        var listener: UnsafeMutableRawPointer?
        let status =
            switch source {
            case .subject(let subject): nats_floor_listen(&listener, connection, subject, copies ? 1 : 0)
            case .stream(let stream, let subject, let name, let window):
                nats_floor_consume(&listener, connection, stream, subject, name, Int64(window), copies ? 1 : 0)
            }
        try Self.check(status, "subscribe")
        try ask()
        var sum: UInt64 = 0
        try Self.check(nats_floor_hear(listener, Int64(count), &sum), "end a subscription")
        return sum
    }

    func ask(for count: Int, _ kind: NATSKind, on subject: String) throws {
        let status = nats_floor_ask(connection, subject, CInt(kind.size), kind.headersFlag, Int64(count))
        try Self.check(status, "ask for messages")
    }
}

/// A process that publishes messages as bare libnats does, whenever it is asked.
enum NATSSenderProcess {
    /// The first argument of such a process. The server's address and the subject follow.
    static let argument = "--nats-sender"

    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw Complaint("\(argument) needs an address and a subject") }
        try BareNATS.check(nats_floor_serve(arguments[0], arguments[1]), "publish")
    }
}
