package import Bus
package import FilterBridge
package import NATSBridge
package import Records

/// Messages of a NATS server: `nats://HOST:PORT/SUBJECT`, and with `?from=` those that a stream of JetStream has stored.
package struct NATSRecords: RecordSource {
    package static let spellings = [
        SourceSpelling(
            "nats",
            operand: "//HOST:PORT/SUBJECT[?from=…]",
            example: "'\(NATSSelection.example)'",
            summary: "messages of a NATS server; with ?from= those that a stream of JetStream has stored",
            operands: .words(["//127.0.0.1:4222/"]),
            objection: {
                NATSLibrary.loadFailure.map { "not here: \($0); the package is libnats3.4 or a name like it" }
            }
        )
    ]

    package let word = "nats"
    let selection: NATSSelection

    package init(word: String, operand: String) throws(SourceArgumentError) {
        selection = try NATSSelection(operand: operand)
    }

    package var fields: RecordKind { .any }

    package var traits: SourceTraits {
        selection.start == nil
            ? [.live, .awaitable] : selection.start == .new ? [.live, .awaitable, .places] : [.awaitable, .places]
    }

    package func items(_ request: SourceRequest) -> AnySignal<RecordItem, SourceError> {
        let items: AnySignal<RecordItem, SourceError>
        do throws(SourceError) {
            items = NATSSession(selection, request, behind: try request.place { NATSPlace($0) }).items()
        } catch {
            return Signals.fail(error).eraseToAnySignal()
        }
        guard selection.start != nil else { return items }
        let whole = request.follows ? items : items.take(until: { $0.isCaughtUp }).eraseToAnySignal()
        guard case .last(let count) = request.start else { return whole }
        return whole.transduced(by: KeepNewest(count: count)).eraseToAnySignal()
    }
}

extension RecordItem {
    fileprivate var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }
}

/// Messages of a server as records, over one connection after the other.
private struct NATSSession: Sendable {
    private let selection: NATSSelection
    private let request: SourceRequest
    /// Where an earlier reader was.
    private let place: NATSPlace?

    init(_ selection: NATSSelection, _ request: SourceRequest, behind place: NATSPlace?) {
        self.selection = selection
        self.request = request
        self.place = place
    }

    func items() -> AnySignal<RecordItem, SourceError> {
        // With further attempts a stream that is not there is told at once.
        let position = selection.start.map { start in
            NATSStreamPosition(
                place.map { .after($0.sequence) } ?? start,
                made: place?.made,
                patience: request.reconnects ? .zero : .seconds(30)
            )
        }
        let items = Signals.deferred { [self] in session(at: position) }
            .reconnecting(
                request,
                hasBegun: { heard in
                    switch heard {
                    case .began: position == nil
                    case .found: true
                    default: false
                    }
                },
                isTemporary: { error in
                    if error.isTemporary { return true }
                    guard let position else { return false }
                    return error.reason.isPassing || (error.reason.deniesStream && position.hasBegun)
                }
            )
            .transduced(by: NATSItems(request, at: position))
        return MessageLosses(upstream: items, name: request.name)
            .mapError { [request] in request.failure($0.description) }
            .eraseToAnySignal()
    }

    /// One connection, to its end.
    private func session(at position: NATSStreamPosition?) -> AnySignal<NATSHeard, NATSError> {
        let connection = selection.server.connection()
        let connected = Signals.attempt { () async throws(NATSError) in try await connection.connect() }
        return connected.flatMap(.concat) { [self] in
            let heard = position.map { stored(over: connection, at: $0) } ?? live(over: connection)
            return heard.prepend(.began)
        }
        .eraseToAnySignal()
    }

    private func live(over connection: NATSConnection) -> AnySignal<NATSHeard, NATSError> {
        // Behind the subscription: when it returns, the server knows of that.
        let flushed = Signals.attempt { () async throws(NATSError) in try await connection.flush() }
        return connection.messages(to: selection.subject, on: request.scheduler).map { NATSHeard.message($0) }
            .merge(flushed.map { .listening })
            .eraseToAnySignal()
    }

    private func stored(
        over connection: NATSConnection,
        at position: NATSStreamPosition
    ) -> AnySignal<NATSHeard, NATSError> {
        let stream = Signals.attempt { [selection] () async throws(NATSError) in
            if let stream = selection.stream { return stream }
            return try await connection.stream(storing: selection.subject)
        }
        return stream.flatMap(.concat) { [self] name in
            connection.messages(ofStream: name, subject: selection.subject, at: position, on: request.scheduler)
                .map { $0.map { .stored($0) } ?? .found }
        }
        .eraseToAnySignal()
    }
}

/// A place in a stream: behind a message, of the stream that was made then. As text `sequence=4711;made=2026-11-28T09:00:00Z`.
struct NATSPlace: CustomStringConvertible {
    let sequence: UInt64
    let made: String?

    init(_ sequence: UInt64, made: String?) {
        (self.sequence, self.made) = (sequence, made)
    }

    init?(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 1)
        guard let first = parts.first, first.hasPrefix("sequence="), let sequence = UInt64(first.dropFirst(9)),
            parts.count == 1 || parts[1].hasPrefix("made=")
        else { return nil }
        self.init(sequence, made: parts.count == 1 ? nil : String(parts[1].dropFirst(5)))
    }

    var description: String { "sequence=\(sequence)" + (made.map { ";made=\($0)" } ?? "") }
}

/// An event of a session with a server.
enum NATSHeard: Sendable {
    /// The connection is there.
    case began
    /// The stream is there.
    case found
    /// From now on everything is heard.
    case listening
    case message(NATSMessage)
    case stored(NATSStreamItem)
}

extension NATSAddress {
    /// A connection that ends when it is lost, so that the loss can be reported, and what it means can be found out over
    /// the next one.
    package func connection() -> NATSConnection {
        var options = NATSOptions(servers: servers)
        options.name = "busctl-rx"
        if let credentials { options.authentication = .credentials(file: credentials) }
        options.certificateAuthority = authority
        options.reconnectAttempts = 0
        options.pingInterval = .seconds(10)
        return NATSConnection(options)
    }
}

extension NATSConnection {
    /// Waits until the connection is there.
    package func connect() async throws(NATSError) {
        do throws(NATSError) {
            try await flush()
        } catch {
            throw NATSError(error.reason, "connect", server: error.server)
        }
    }

    /// The one stream that stores a subject.
    package func stream(storing subject: String) async throws(NATSError) -> String {
        let operation = "find the stream of \"\(subject)\""
        let names: [String]
        do {
            names = try await streams(storing: subject)
        } catch let failure as NATSError {
            throw failure
        } catch {
            throw NATSError(.closed, operation, server: place)
        }
        guard let name = names.first else { throw NATSError(.noStream, operation, server: place) }
        guard names.count == 1 else {
            let list = names.joined(separator: ", ")
            let text = "several streams store it: \(list); name one with stream=NAME"
            throw NATSError(.invalid(text), operation, server: place)
        }
        return name
    }
}

extension NATSError {
    /// Whether another attempt may succeed once the server runs again.
    package var isTemporary: Bool {
        switch reason {
        case .unreachable, .disconnected, .timedOut: true
        default: false
        }
    }
}
