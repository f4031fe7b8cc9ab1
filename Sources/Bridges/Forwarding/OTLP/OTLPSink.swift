import Bus
import NATSBridge
public import RecordSources
package import Timers

/// An OpenTelemetry receiver that speaks OTLP over HTTP as a sink: a collector, Loki, VictoriaLogs.
///
/// An entry that finds no request under way is sent at once. While there are some, entries gather into requests of up to 1,000 entries and
/// about 1 MiB; up to four requests are under way, compressed with gzip. libcurl is loaded when the first connection opens; Debian's package
/// libcurl4 has it.
///
/// What each answer means:
///
/// | answer | meaning |
/// | --- | --- |
/// | 2xx | the records are stored; those that `partial_success` rejects are counted and reported |
/// | 429, 502, 503, 504, no answer within 30 s, a connection that breaks | another attempt, after `Retry-After` (at most 5 minutes) or a growing, random wait |
/// | 413 | each half is sent by itself; a record that is refused alone is left out |
/// | 400, 422 | the records are left out |
/// | other answers, redirects among them | forwarding ends |
///
/// Records that are left out are in the file of refused records before the place moves on. OTLP has no numbers by which a receiver
/// could tell what it has: after a failure, records are sent again whose answer was not heard. They have the attribute `log.record.uid`,
/// by which a receiver can drop what it has.
public struct OTLPSink: ForwardSink {
    /// What a sink has done since it was made.
    public struct Counts: Sendable, Hashable {
        /// Requests, further attempts among them.
        public var requests = 0
        /// Further attempts.
        public var retries = 0
        /// Records that the receiver has rejected with `partial_success`.
        public var rejected = 0
        /// Records in the file of refused records.
        public var refused = 0
    }

    let address: OTLPAddress
    let deadLetters: DeadLetters
    let note: @Sendable (String) -> Void
    let limits: OTLPBatches<OTLPExporter.Item>.Limits
    let timeout: Duration
    let scheduler: any TimedScheduler
    let state = Lock(Counts())

    /// - Parameters:
    ///   - url: `otlp+http://HOST:PORT/PATH` or `otlp+https://…`, to which `/v1/logs` is added where it does not end so. Behind a question
    ///     mark: `headers=FILE` names a file with further headers, one a line, which is read for each connection; `ca=FILE` the certificates that
    ///     the receiver's is checked against; `cert=FILE` and `key=FILE` the client's own; `proxy=URL` a proxy.
    ///   - file: where refused records are appended, a JSON object a line. It is made when there is one.
    ///   - note: called with what a person may want to know, on any thread.
    /// - Throws: what to write instead.
    public init(
        _ url: String,
        refusedTo file: String,
        note: @escaping @Sendable (String) -> Void
    ) throws(SourceMistake) {
        do throws(AddressFlaw) {
            self.init(try OTLPAddress(url), refusedTo: file, note: note)
        } catch {
            throw SourceMistake(error.description)
        }
    }

    package init(
        _ address: OTLPAddress,
        refusedTo file: String,
        timeout: Duration = .seconds(30),
        scheduler: any TimedScheduler = TimerScheduler.shared,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.address = address
        self.timeout = timeout
        self.scheduler = scheduler
        self.note = note
        deadLetters = DeadLetters(path: file)
        limits = OTLPBatches.Limits()
    }

    /// What all connections of this sink and of its copies have done so far.
    public var counts: Counts { state.withLock { $0 } }

    public var encoding: ForwardEncoding { .otlp }

    public var maxPending: Int { limits.records * limits.requests }

    public func connection() -> any ForwardConnection { OTLPConnection(self) }
}

/// One attempt to send to a receiver.
final class OTLPConnection: ForwardConnection {
    private let sink: OTLPSink
    private let exporter = Lock<OTLPExporter?>(nil)

    init(_ sink: OTLPSink) {
        self.sink = sink
    }

    deinit {
        // Where the attempt ended before it began.
        close()
    }

    func begin(from place: ForwardPlace) async throws(ForwardFailure) -> ForwardBeginning {
        if let failure = HTTPClient.loadFailure { throw ForwardFailure("cannot speak HTTP: \(failure)", .end) }
        let address = sink.address
        var settings = HTTPClient.Settings(url: address.url)
        do throws(HeadersFile.Failure) {
            if let path = address.headers { settings.headers = try HeadersFile(path: path).headers() }
        } catch {
            throw ForwardFailure(error.description, .end)
        }
        settings.authority = address.authority
        settings.certificate = address.certificate
        settings.key = address.key
        settings.proxy = address.proxy
        settings.timeout = sink.timeout
        let exporter = OTLPExporter(HTTPClient(settings), sink)
        self.exporter.withLock { $0 = exporter }
        try await exporter.probe()
        return ForwardBeginning(place)
    }

    func store(_ payload: [UInt8], cursor: String) -> AnySignal<ForwardReceipt, ForwardFailure> {
        let exporter = exporter.withLock { $0 }
        return Signals.create(of: ForwardReceipt.self, failure: ForwardFailure.self, limit: 1) { emitter in
            let item = OTLPExporter.Item(cursor: cursor, payload: payload) { result in
                switch result {
                case .success(let receipt):
                    emitter.send(receipt)
                    emitter.complete()
                case .failure(let failure): emitter.fail(failure)
                }
            }
            guard let exporter else {
                item.finish(.failure(ForwardFailure("the connection is not open", .wait)))
                return nil
            }
            exporter.store(item)
            return nil
        }
        .eraseToAnySignal()
    }

    /// Requests fail by themselves; there is no connection whose end would have to be noticed. Subscribed for the whole attempt, it keeps
    /// the connection, and gives up all requests with the attempt.
    func ending(on scheduler: ThreadScheduler) -> AnySignal<Void, ForwardFailure> {
        Signals.create(of: Void.self, failure: ForwardFailure.self) { [self] _ in ActionDisposable { self.close() } }
            .eraseToAnySignal()
    }

    private func close() { exporter.withLock { $0 }?.close() }
}
