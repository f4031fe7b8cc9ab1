#if NATS
    import Bus
    import NATSBridge
    import Records

    /// Messages of a NATS server as a source of records.
    struct NATSSource: Sendable {
        private let argument: NATSArgument
        private let source: RecordPlan.Source
        private let plan: RecordPlan
        private let scheduler: ThreadScheduler

        init(
            _ argument: NATSArgument,
            _ source: RecordPlan.Source,
            _ plan: RecordPlan,
            on scheduler: ThreadScheduler
        ) {
            self.argument = argument
            self.source = source
            self.plan = plan
            self.scheduler = scheduler
        }

        func items(isWanted: @escaping @Sendable (Record) -> Bool) -> AnySignal<RecordItem, TailFailure> {
            // With further attempts a stream that is not there is told at once.
            let position = argument.start.map {
                plan.reconnects ? NATSStreamPosition($0.start, patience: .zero) : NATSStreamPosition($0.start)
            }
            let heard = Signals.deferred { [self] in session(at: position) }
            let items = attempts(heard.eraseToAnySignal(), at: position)
                .transduced(by: NATSItems(source, isStored: position != nil, isWanted: isWanted))
            return MessageLosses(upstream: items, name: source.name)
                .mapError { TailFailure(reason: "\(source.name): \($0.description)") }
                .eraseToAnySignal()
        }

        /// One connection, to its end.
        private func session(at position: NATSStreamPosition?) -> AnySignal<NATSHeard, NATSError> {
            let connection = argument.server.connection()
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
            return connection.signals(on: argument.subject, deliverOn: scheduler).map { NATSHeard.message($0) }
                .merge(flushed.map { .listening })
                .eraseToAnySignal()
        }

        private func stored(
            over connection: NATSConnection,
            at position: NATSStreamPosition
        ) -> AnySignal<NATSHeard, NATSError> {
            let stream = Signals.attempt { [argument] () async throws(NATSError) in
                if let stream = argument.stream { return stream }
                return try await connection.stream(storing: argument.subject)
            }
            return stream.flatMap(.concat) { [self] name in
                connection.messages(ofStream: name, subject: argument.subject, at: position, deliverOn: scheduler)
                    .map { $0.map { .stored($0) } ?? .found }
            }
            .eraseToAnySignal()
        }

        /// Further attempts, where they are wanted.
        private func attempts(
            _ heard: AnySignal<NATSHeard, NATSError>,
            at position: NATSStreamPosition?
        ) -> AnySignal<NATSHeard, NATSError> {
            guard plan.reconnects else { return heard }
            return heard.reconnecting(
                named: source.name,
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
        }
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

    extension NATSServerArgument {
        /// A connection that ends when it is lost, so that the loss can be reported, and what it means can be found out over
        /// the next one.
        func connection() -> NATSConnection {
            var options = NATSOptions(servers: servers)
            options.name = "busctl-rx"
            if let credentials { options.authentication = .credentials(file: credentials) }
            options.certificateAuthority = authority
            options.reconnectAttempts = 0
            options.pingInterval = .seconds(10)
            return NATSConnection(options)
        }
    }

    extension NATSArgument.Start {
        var start: NATSStart {
            switch self {
            case .first: .first
            case .last: .last
            case .new: .new
            case .sequence(let number): .sequence(number)
            case .time(let time): .time(time)
            }
        }
    }

    extension NATSConnection {
        /// Waits until the connection is there.
        func connect() async throws(NATSError) {
            do throws(NATSError) {
                try await flush()
            } catch {
                throw NATSError(error.reason, "connect", server: error.server)
            }
        }

        /// The one stream that stores a subject.
        func stream(storing subject: String) async throws(NATSError) -> String {
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
        var isTemporary: Bool {
            switch reason {
            case .unreachable, .disconnected, .timedOut: true
            default: false
            }
        }
    }
#endif
