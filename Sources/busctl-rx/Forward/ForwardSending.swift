#if NATS
    import Bus
    import JournalBridge
    import NATSBridge

    /// Something to be done for an entry, in the journal's order.
    enum ForwardTask: Sendable {
        case store(UInt64, cursor: String, json: [UInt8])
        /// Nothing: it does not match, or is stored already.
        case finished(UInt64, sequence: UInt64?)
        /// Something for a person.
        case report(String)
    }

    /// Something that was done.
    struct ForwardDone: Sendable {
        /// Nil if it concerns no entry.
        let number: UInt64?
        /// The number of the message in the stream, if there is one.
        var sequence: UInt64?
        /// Whether a message was stored just now.
        var isNew = false
        /// For a person. It is not written where it arises: that may be a thread of libnats, which must not be blocked.
        var report: String?
    }

    /// Sends entries over one connection.
    struct ForwardSending: Sendable {
        /// How many messages may be without an acknowledgement.
        static let most = 256
        /// How many messages behind the saved place are remembered.
        private static let mostKnown = 1 << 20
        /// How long an acknowledgement may take.
        private static let timeout = Duration.seconds(10)
        /// The server's code for a message that is larger than the stream takes.
        private static let tooLarge = 10054

        private let subject: String
        private let connection: NATSConnection

        init(to server: NATSServerArgument, _ subject: String) {
            connection = server.connection()
            self.subject = subject
        }

        /// Connects, and asks the stream what it has behind a place. A place without a number gets one here, before anything is sent.
        func begin(from place: ForwardPlace) async throws(ForwardError) -> ForwardProgress {
            do {
                try await connection.connect()
                let stream = try await connection.stream(storing: subject)
                guard let sequence = place.sequence else {
                    let base = place.based(on: try await stored(in: stream, from: .last))
                    return ForwardProgress(from: base, known: [:], most: Self.most)
                }
                let known = try await stored(in: stream, from: .after(sequence))
                return ForwardProgress(from: place, known: known, most: Self.most)
            } catch let error as NATSError {
                throw .nats(error)
            } catch ReceiveError<NATSError>.failed(let error) {
                throw .nats(error)
            } catch {
                throw .source("\(error)")
            }
        }

        /// The numbers of messages by their ids.
        private func stored(in stream: String, from start: NATSStart) async throws -> [String: UInt64] {
            var known: [String: UInt64] = [:]
            let items = connection.messages(ofStream: stream, subject: subject, from: start, headersOnly: true)
                .take(until: { $0 == .caughtUp })
            for try await item in items.values() {
                guard case .message(let delivery) = item, let id = delivery.message.headers["Nats-Msg-Id"] else {
                    continue
                }
                known[id] = delivery.sequence
                if known.count >= Self.mostKnown { break }
            }
            return known
        }

        func perform(_ task: ForwardTask) -> AnySignal<ForwardDone, ForwardError> {
            switch task {
            case .finished(let number, let sequence): done(ForwardDone(number: number, sequence: sequence))
            case .report(let text): done(ForwardDone(number: nil, report: text))
            case .store(let number, let cursor, let json):
                connection.acknowledgement(
                    of: NATSMessage(subject: subject, payload: json),
                    id: cursor,
                    timeout: Self.timeout
                )
                .map { ForwardDone(number: number, sequence: $0.sequence, isNew: true) }
                .catch { error in recover(from: error, number, cursor) }
                .eraseToAnySignal()
            }
        }

        /// An entry that can never be stored is left out.
        private func recover(
            from error: NATSError,
            _ number: UInt64,
            _ cursor: String
        ) -> AnySignal<ForwardDone, ForwardError> {
            switch error.reason {
            case .tooLarge, .jetStream(code: Self.tooLarge, text: _):
                done(ForwardDone(number: number, report: "the entry \(cursor) is left out: \(error)"))
            default: Signals.fail(ForwardError.nats(error)).eraseToAnySignal()
            }
        }

        private func done(_ done: ForwardDone) -> AnySignal<ForwardDone, ForwardError> {
            Signals.just(done).promoteFailure(to: ForwardError.self).eraseToAnySignal()
        }
    }
#endif
