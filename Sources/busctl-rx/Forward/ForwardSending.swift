import Bus
import Glibc
import JournalBridge
import NATSBridge
import RecordSources
import Records

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
    /// Whether a message was acknowledged.
    var isStored = false
    /// Whether the stream had it already.
    var isDuplicate = false
    /// For a person. It is not written where it arises: that may be a thread of libnats, which must not be blocked.
    var report: String?
}

/// The stream that an attempt stores in, and how far it is.
struct ForwardBeginning: Sendable {
    let stream: ForwardStream
    let progress: ForwardProgress
    /// For a person.
    var reports: [String] = []
}

/// A stream as it was when the attempt began.
struct ForwardStream: Sendable {
    let name: String
    let state: NATSStreamState
}

/// Sends entries over one connection.
struct ForwardSending: Sendable {
    /// How many messages may be without an acknowledgement.
    static let maxPending = 256
    /// How many bytes of entries may wait or be without an acknowledgement.
    static let maxBytes = 16 << 20
    /// About how many bytes a remembered id takes besides its own.
    private static let knownSize = 96
    /// How long an acknowledgement may take.
    private static let timeout = Duration.seconds(10)

    private let subject: String
    private let connection: NATSConnection
    /// How many bytes the ids of messages behind the saved place may take that are remembered.
    private let maxKnown: Int

    init(to server: NATSAddress, _ subject: String, maxKnown: Int = 64 << 20) {
        connection = server.connection()
        self.subject = subject
        self.maxKnown = maxKnown
    }

    /// Connects, and asks the stream what it has behind a place. A place without a number gets one here, before anything is sent.
    func begin(from place: ForwardPlace) async throws(ForwardError) -> ForwardBeginning {
        do {
            try await connection.connect()
            let name = try await connection.stream(storing: subject)
            let state = try await connection.state(ofStream: name)
            let stream = ForwardStream(name: name, state: state)
            guard place.sequence != nil else {
                let (last, _) = try await stored(in: name, from: .last)
                let base = place.based(on: last, made: state.made)
                return ForwardBeginning(
                    stream: stream,
                    progress: ForwardProgress(from: base, known: [:], maxPending: Self.maxPending)
                )
            }
            let (base, isAnother) = place.fitted(to: state)
            let (known, isAll) = try await stored(
                in: name,
                from: .after(base.sequence ?? 0),
                until: state.trusted(at: Self.now)
            )
            var reports: [String] = []
            if isAnother {
                reports.append(
                    "the stream \(name) is another than before, or has lost its last messages; what was stored up to the saved place is not sent again"
                )
            }
            if !isAll {
                reports.append(
                    "the stream \(name) has more messages behind the saved place than are remembered (\(known.count)); entries that are stored behind these are stored twice"
                )
            }
            return ForwardBeginning(
                stream: stream,
                progress: ForwardProgress(from: base, known: known, maxPending: Self.maxPending),
                reports: reports
            )
        } catch let error as NATSError {
            throw .nats(error)
        } catch ReceiveError<NATSError>.failed(let error) {
            throw .nats(error)
        } catch {
            throw .source("\(error)")
        }
    }

    /// Fails when the connection ends. Otherwise a forwarder that has nothing to send would not notice.
    func ending(on scheduler: ThreadScheduler) -> AnySignal<Void, ForwardError> {
        let error = NATSError(.disconnected(""), "stay connected", server: connection.place)
        return connection.events(deliverOn: scheduler)
            .ignoreLosses()
            .promoteFailure(to: ForwardError.self)
            .attemptMap { event throws(ForwardError) in if event == .closed { throw .nats(error) } }
            .eraseToAnySignal()
    }

    /// In nanoseconds since 1970.
    private static var now: Int64 { RecordTime.now.microseconds * 1000 }

    /// The numbers of messages by their ids, and whether these are all.
    ///
    /// - Parameter time: messages that were stored later are left out.
    private func stored(
        in stream: String,
        from start: NATSStart,
        until time: Int64 = .max
    ) async throws -> ([String: UInt64], isAll: Bool) {
        var known: [String: UInt64] = [:]
        var bytes = 0
        let items = connection.messages(ofStream: stream, subject: subject, from: start, headersOnly: true)
            .take(until: { $0 == .caughtUp })
        for try await item in items.values() {
            guard case .message(let delivery) = item, delivery.storedAt <= time,
                let id = delivery.message.headers["Nats-Msg-Id"]
            else { continue }
            if known[id] == nil {
                // Others may store messages on the subject, too, with ids of any length.
                if bytes >= maxKnown { return (known, false) }
                bytes += id.utf8.count + Self.knownSize
            }
            known[id] = delivery.sequence
        }
        return (known, true)
    }

    func perform(_ task: ForwardTask, in stream: ForwardStream) -> AnySignal<ForwardDone, ForwardError> {
        switch task {
        case .finished(let number, let sequence): done(ForwardDone(number: number, sequence: sequence))
        case .report(let text): done(ForwardDone(number: nil, report: text))
        case .store(let number, let cursor, let json):
            if stream.state.flaw(ofMessageTo: subject, id: cursor, bytes: json.count) == nil {
                store(number, cursor, json)
            } else {
                check(number, cursor, json, stream.name)
            }
        }
    }

    private func store(_ number: UInt64, _ cursor: String, _ json: [UInt8]) -> AnySignal<ForwardDone, ForwardError> {
        connection.acknowledgement(
            of: NATSMessage(subject: subject, payload: json),
            id: cursor,
            timeout: Self.timeout
        )
        .map {
            ForwardDone(number: number, sequence: $0.sequence, isStored: true, isDuplicate: $0.isDuplicate)
        }
        .catch { error in recover(from: error, number, cursor) }
        .eraseToAnySignal()
    }

    /// An entry that was larger than the whole stream may be when the attempt began. The stream may have been changed.
    private func check(
        _ number: UInt64,
        _ cursor: String,
        _ json: [UInt8],
        _ stream: String
    ) -> AnySignal<ForwardDone, ForwardError> {
        Signals.attempt { () async throws(NATSError) in try await connection.state(ofStream: stream) }
            .mapError { ForwardError.nats($0) }
            .flatMap(.concat) { state in
                guard let flaw = state.flaw(ofMessageTo: subject, id: cursor, bytes: json.count) else {
                    return store(number, cursor, json)
                }
                return leaveOut(number, cursor, flaw)
            }
            .eraseToAnySignal()
    }

    private func recover(
        from error: NATSError,
        _ number: UInt64,
        _ cursor: String
    ) -> AnySignal<ForwardDone, ForwardError> {
        guard ForwardVerdict(error.reason) == .leaveOut else {
            return Signals.fail(ForwardError.nats(error)).eraseToAnySignal()
        }
        return leaveOut(number, cursor, "\(error)")
    }

    private func leaveOut(_ number: UInt64, _ cursor: String, _ flaw: String) -> AnySignal<
        ForwardDone, ForwardError
    > {
        done(ForwardDone(number: number, report: "the entry \(cursor) is left out: \(flaw)"))
    }

    private func done(_ done: ForwardDone) -> AnySignal<ForwardDone, ForwardError> {
        Signals.just(done).promoteFailure(to: ForwardError.self).eraseToAnySignal()
    }
}

extension NATSStreamState {
    /// Up to when a message must have been stored to be taken for stored because it can be read, in nanoseconds since 1970.
    ///
    /// Each server of a cluster answers readers from what it has itself. After the loss of a leader that can be other messages, under
    /// the same numbers, than the next leader has (seen with nats-server 2.9.10). The leader tells by the id whether it has a message,
    /// within its duplicate window. So what is younger is sent again.
    func trusted(at now: Int64) -> Int64 {
        guard isReplicated else { return .max }
        // What is sent again needs some time to get there.
        return now - duplicateWindow + min(10_000_000_000, duplicateWindow / 2)
    }
}
