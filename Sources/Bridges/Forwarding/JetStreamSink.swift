import Bus
import Glibc
import JournalBridge
package import NATSBridge
public import RecordSources
import Records
import Timers

/// A stream of NATS JetStream as a sink: a message an entry, with the cursor as its id, by which the stream knows it again.
///
/// Each attempt has a connection of its own. The verdict on each failure:
///
/// | failure, or JetStream's `err_code` | verdict |
/// | --- | --- |
/// | larger than max_payload; 10054 larger than max_msg_size; 10097 headers too large | leave the entry out |
/// | 10002 the account's limits; 10023, 10028, 10047 no room at the server; 10077 the stream is full or cannot be written to | wait |
/// | 10008, 10009, 10118, 10194 the cluster has no leader, the stream is offline; 10158, 10167 too busy | wait |
/// | no server, no answer, the connection ends, no room for what is to be sent | wait |
/// | no stream stores the subject; 10059 no such stream; 10035, 10039, 10076, 10120 no JetStream for the account | end, if every new connection says so |
/// | 10109 the stream is sealed; 10166, 10169, 10170 it takes no such messages; 10003, 10025 the request is wrong | end |
/// | what answers is no stream | end |
/// | wrong user, not permitted, a rule of NATS is broken | end |
/// | another `err_code` | wait |
///
/// An entry that is larger than the whole stream (max_bytes) is found before it is sent.
public struct JetStreamSink: ForwardSink {
    private let server: NATSAddress
    private let subject: String
    /// How many bytes the ids of messages behind the saved place may take that are remembered.
    private let maxKnown: Int
    private let checkInterval: Duration

    /// - Parameters:
    ///   - server: `nats://HOST:PORT` or `tls://HOST:PORT`, and behind a question mark `creds=FILE` and `ca=FILE`.
    ///   - subject: a subject that one stream stores.
    /// - Throws: what to write instead.
    public init(_ server: String, subject: String) throws(SourceArgumentError) {
        if let flaw = NATSSubject.flaw(inName: subject) { throw SourceArgumentError(flaw) }
        do throws(AddressFlaw) {
            let (address, path) = try NATSAddress.parse(server[...])
            guard path.isEmpty else { throw AddressFlaw("write the server alone, as in nats://HOST:PORT") }
            self.init(address, subject: subject)
        } catch {
            throw SourceArgumentError(error.description)
        }
    }

    package init(
        _ server: NATSAddress,
        subject: String,
        maxKnown: Int = 64 << 20,
        checkInterval: Duration = .seconds(10)
    ) {
        self.server = server
        self.subject = subject
        self.maxKnown = maxKnown
        self.checkInterval = checkInterval
    }

    public func connection() -> any ForwardConnection {
        JetStreamConnection(server.connection(), subject, maxKnown: maxKnown, checkInterval: checkInterval)
    }
}

/// Sends entries over one connection.
final class JetStreamConnection: ForwardPipelining {
    /// About how many bytes a remembered id takes besides its own.
    private static let knownSize = 96
    /// How long an acknowledgement may take.
    private static let timeout = Duration.seconds(10)

    private let subject: String
    private let connection: NATSConnection
    private let maxKnown: Int
    /// The stream as it was when the connection began.
    private let stream = Lock<(name: String, state: NATSStreamState)?>(nil)
    /// The message with the highest number that was acknowledged.
    private let newest = Lock<ForwardMark?>(nil)
    /// How often the stream is asked whether it still has what it acknowledged.
    private let checkInterval: Duration

    init(_ connection: NATSConnection, _ subject: String, maxKnown: Int, checkInterval: Duration) {
        self.connection = connection
        self.subject = subject
        self.maxKnown = maxKnown
        self.checkInterval = checkInterval
    }

    /// Connects, and asks the stream what it has behind a place. A place without a number gets one here, before anything is sent.
    func begin(from place: ForwardPlace) async throws(ForwardError) -> ForwardBeginning {
        do {
            try await connection.connect()
            let name = try await connection.stream(storing: subject)
            let state = try await connection.state(ofStream: name)
            stream.withLock { $0 = (name, state) }
            guard place.sequence != nil else {
                let (last, _) = try await stored(in: name, from: .last)
                let base = place.based(on: last, made: state.made)
                newest.withLock { $0 = base.mark }
                return ForwardBeginning(base)
            }
            let check = JetStreamCheck(connection, stream: name)
            let loss = try await check.loss(behind: place, state)
            let base = loss?.base ?? place.checked(made: state.made)
            let (known, isAll) = try await stored(
                in: name,
                from: .after(base.sequence ?? 0),
                until: state.trusted(at: .now)
            )
            newest.withLock { $0 = base.mark }
            var reports = [loss?.report].compactMap { $0 }
            if !isAll {
                reports.append(
                    "the stream \(name) has more messages behind the saved place than are remembered (\(known.count)); entries that are stored behind these are stored twice"
                )
            }
            var beginning = ForwardBeginning(base, known: known, notes: reports)
            beginning.maxLost = loss?.maxLost ?? 0
            return beginning
        } catch let error as NATSError {
            throw ForwardError(error)
        } catch ReceiveError<NATSError>.failed(let error) {
            throw ForwardError(error)
        } catch {
            throw ForwardError("\(error)", .end)
        }
    }

    /// Fails when the connection ends, and when the stream has lost what was acknowledged. Otherwise a forwarder that has nothing to
    /// send would not notice.
    func ending(on scheduler: ThreadScheduler) -> AnySignal<Void, ForwardError> {
        let losses = Signals.interval(every: checkInterval)
            .promoteFailure(to: ForwardError.self)
            .flatMap(.concat, limit: 1) { [self] _ in
                Signals.attempt { [self] () async throws(ForwardError) in try await check() }
            }
            // Of several times that have come during one check, one is enough.
            .ignoreLosses()
        let error = NATSError(.disconnected(""), "stay connected", server: connection.place)
        return connection.events(on: scheduler)
            .ignoreLosses()
            .promoteFailure(to: ForwardError.self)
            .attemptMap { event throws(ForwardError) in if event == .closed { throw ForwardError(error) } }
            .merge(losses)
            .eraseToAnySignal()
    }

    /// Asks whether the stream still has the newest message that it acknowledged.
    private func check() async throws(ForwardError) {
        guard let (name, began) = stream.withLock({ $0 }), let mark = newest.withLock({ $0 }) else { return }
        let state: NATSStreamState
        let standing: JetStreamCheck.Standing
        do {
            state = try await connection.state(ofStream: name)
            standing = try await JetStreamCheck(connection, stream: name).standing(of: mark, state)
        } catch {
            // No answer says nothing about messages. An outage is found by what is sent, or when the connection ends.
            return
        }
        guard standing == .lost || state.isAnother(than: began.made) else { return }
        throw ForwardError("the stream \(name) has lost message \(mark.sequence), which it acknowledged", .wait)
    }

    /// The numbers of messages by their ids, and whether these are all.
    ///
    /// - Parameter time: messages that were stored later are left out.
    private func stored(
        in stream: String,
        from start: NATSStart,
        until time: RecordTime = RecordTime(microseconds: .max)
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

    func store(_ payload: [UInt8], cursor: String) -> AnySignal<ForwardReceipt, ForwardError> {
        guard let stream = stream.withLock({ $0 }),
            stream.state.flaw(ofMessageTo: subject, id: cursor, bytes: payload.count) != nil
        else { return send(payload, cursor) }
        // An entry that was larger than the whole stream may be when the connection began. The stream may have been changed.
        return Signals.attempt { [self] () async throws(NATSError) in try await connection.state(ofStream: stream.name)
        }
        .mapError { ForwardError($0) }
        .flatMap(.concat) { [self] state in
            guard let flaw = state.flaw(ofMessageTo: subject, id: cursor, bytes: payload.count) else {
                return send(payload, cursor)
            }
            return Self.leaveOut(flaw)
        }
        .eraseToAnySignal()
    }

    private func send(_ payload: [UInt8], _ cursor: String) -> AnySignal<ForwardReceipt, ForwardError> {
        let before = newest.withLock { $0?.sequence ?? 0 }
        return connection.acknowledgement(
            of: NATSMessage(subject: subject, payload: payload),
            id: cursor,
            timeout: Self.timeout
        )
        .map { [self] in receipt($0, cursor, behind: before) }
        .catch { error in
            Signals.just(
                error.reason.isOfOneMessage ? .success(.leftOut(reason: "\(error)")) : .failure(ForwardError(error))
            )
        }
        .promoteFailure(to: ForwardError.self)
        .attemptMap { result throws(ForwardError) in try result.get() }
        .eraseToAnySignal()
    }

    /// - Parameter before: the highest number that had been acknowledged when the entry was sent.
    private func receipt(
        _ stored: NATSAcknowledgement,
        _ cursor: String,
        behind before: UInt64
    ) -> Result<ForwardReceipt, ForwardError> {
        // A duplicate has the number of the first message.
        guard stored.sequence > before || stored.isDuplicate else {
            let text = "it gave an entry the number \(stored.sequence), and \(before) to one before"
            return .failure(ForwardError("the stream \(stored.stream) has lost messages: \(text)", .wait))
        }
        newest.withLock { newest in
            guard stored.sequence > newest?.sequence ?? 0 else { return }
            newest = ForwardMark(sequence: stored.sequence, cursor: cursor)
        }
        return .success(.stored(sequence: stored.sequence, isDuplicate: stored.isDuplicate))
    }

    /// The items on their way.
    private struct Pipeline: Sendable {
        enum Item: Sendable {
            case done(ForwardDone)
            /// `before` is the highest number that had been acknowledged when the entry was sent.
            case entry(number: UInt64, cursor: String, before: UInt64)
        }

        private var items: [UInt64: Item] = [:]
        private var lastTag: UInt64 = 0
        /// Why the source has failed.
        var failure: ForwardError?

        /// - Returns: its tag.
        mutating func add(_ item: Item) -> UInt64 {
            lastTag += 1
            items[lastTag] = item
            return lastTag
        }

        mutating func take(_ tag: UInt64) -> Item? { items.removeValue(forKey: tag) }
    }

    func pipelined(
        _ works: AnySignal<ForwardWork, ForwardError>,
        maxPending: Int
    ) -> AnySignal<ForwardDone, ForwardError>? {
        // An entry that may be larger than the whole stream is looked at before it is sent.
        guard stream.withLock({ $0?.state.takesAnySize ?? false }) else { return nil }
        let pipeline = Lock(Pipeline())
        return works.map { [self] in storable($0, pipeline) }
            .mapError { [connection] failure in
                pipeline.withLock { $0.failure = failure }
                return NATSError(.closed, "read the source", server: connection.place)
            }
            .receipts(over: connection, maxPending: maxPending, limit: maxPending, timeout: Self.timeout) {
                $0.isOfOneMessage
            }
            .mapError { error in pipeline.withLock { $0.failure } ?? ForwardError(error) }
            .attemptMap { [self] receipt throws(ForwardError) in try done(receipt, pipeline) }
            .compactMap { $0 }
            .eraseToAnySignal()
    }

    private func storable(_ work: ForwardWork, _ pipeline: Lock<Pipeline>) -> NATSStorable {
        switch work {
        case .done(let done): return NATSStorable(tag: pipeline.withLock { $0.add(.done(done)) }, nil)
        case .entry(let number, let cursor, let payload):
            let before = newest.withLock { $0?.sequence ?? 0 }
            let item = Pipeline.Item.entry(number: number, cursor: cursor, before: before)
            let message = NATSMessage(subject: subject, headers: ["Nats-Msg-Id": cursor], payload: payload)
            return NATSStorable(tag: pipeline.withLock { $0.add(item) }, message)
        }
    }

    /// - Returns: `nil` for a receipt of nothing, which cannot be.
    private func done(_ receipt: NATSReceipt, _ pipeline: Lock<Pipeline>) throws(ForwardError) -> ForwardDone? {
        switch (pipeline.withLock { $0.take(receipt.tag) }, receipt) {
        case (.done(let done), _): done
        case (.entry(let number, let cursor, let before), .stored(_, let stored)):
            ForwardDone(try self.receipt(stored, cursor, behind: before).get(), number: number, cursor: cursor)
        case (.entry(let number, let cursor, _), .refused(_, let error)):
            ForwardDone(.leftOut(reason: "\(error)"), number: number, cursor: cursor)
        case (nil, _), (.entry, .passed): nil
        }
    }

    private static func leaveOut(_ reason: String) -> AnySignal<ForwardReceipt, ForwardError> {
        Signals.just(.leftOut(reason: reason)).promoteFailure(to: ForwardError.self).eraseToAnySignal()
    }
}
