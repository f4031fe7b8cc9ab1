import Bus
import NATSBridge
public import RecordSources
package import Timers

/// An OpenTelemetry receiver that speaks OTLP over HTTP as a sink: a collector, Loki, VictoriaLogs.
///
/// Entries are sent together, up to 1,000 of them and about 256 KiB in a request, compressed with gzip; up to four requests are under way. An
/// entry that finds no request under way is sent at once, and others wait for 200 ms at most, unless four requests are under way. libcurl
/// and libdeflate are loaded when the first connection opens; Debian's packages libcurl4 and libdeflate0 have them.
///
/// What each answer means:
///
/// | answer | meaning |
/// | --- | --- |
/// | 2xx | the records are stored; those that `partial_success` rejects are counted and reported |
/// | 408, 425, 429, 5xx but for 501 and 505, no answer within 30 s and one more for each 16 KiB of the request, a connection that breaks | another attempt, after `Retry-After` (at most 5 minutes) or a growing, random wait |
/// | 400, 413, 422 | each half is sent by itself; a record that is refused alone is left out |
/// | 401, 403, 404, 407 | at the beginning, forwarding ends; later, another attempt |
/// | other answers, redirects among them | forwarding ends |
///
/// OTLP retries no more than 429, 502, 503 and 504, because a client drops the records of other failures. This one keeps them, and a
/// journal may lose entries by rotation while nobody forwards them: so it waits where a receiver may recover.
///
/// When a receiver has refused 32 requests for the same records and taken none of them, a request that it refuses then is left out as a whole, until it
/// takes one; a size that is refused (413) is always halved. A receiver that refuses a request without records, by which each connection begins, and
/// then 32 records before it has taken any, ends forwarding.
///
/// Records that are left out are in the file of refused records before the place moves on. OTLP has no numbers by which a receiver
/// could tell what it has: after a failure, records are sent again whose answer was not heard. They have the attribute `log.record.uid`,
/// by which a receiver can drop what it has.
public struct OTLPSink: ForwardSink {
    /// What a sink has done since it was made.
    public struct Counts: Sendable, Hashable {
        /// Records that the receiver has taken. Those that it got twice count twice.
        public var stored = 0
        /// Requests, further attempts among them.
        public var requests = 0
        /// Further attempts.
        public var retries = 0
        /// Records that the receiver has rejected with `partial_success`.
        public var rejected = 0
        /// Records in the file of refused records.
        public var refused = 0
        /// Bytes of all requests' bodies, as they were sent.
        public var bytes = 0
        /// Requests that wait before another attempt.
        public var waiting = 0
    }

    let address: OTLPAddress
    let deadLetters: DeadLetters
    let reports: OTLPReports
    let limits: OTLPBatches<OTLPExporter.Item>.Limits
    let timeout: Duration
    let scheduler: any TimedScheduler
    let state = Lock(Counts())
    /// Whether the permissions of files were looked at.
    private let isWarned = Lock(false)

    /// - Parameters:
    ///   - url: `otlp+http://HOST:PORT/PATH` or `otlp+https://…`, to which `/v1/logs` is added where it does not end so. Behind a question
    ///     mark: `headers=FILE` names a file with further headers, one a line, which is read for each connection; `ca=FILE` the certificates that
    ///     the receiver's is checked against; `cert=FILE` and `key=FILE` the client's own; `proxy=URL` a proxy, in
    ///     place of the one that libcurl's variables such as `https_proxy` name.
    ///   - file: where refused records are appended, a JSON object a line. It is made when there is one.
    ///   - note: called with what a person may want to know, on any thread.
    /// - Throws: what to write instead.
    public init(
        _ url: String,
        refusedTo file: String,
        note: @escaping @Sendable (String) -> Void
    ) throws(SourceArgumentError) {
        do throws(AddressFlaw) {
            self.init(try OTLPAddress(url), refusedTo: file, note: note)
        } catch {
            throw SourceArgumentError(error.description)
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
        reports = OTLPReports(on: scheduler, note)
        let limits = OTLPBatches<OTLPExporter.Item>.Limits()
        self.limits = limits
        deadLetters = DeadLetters(path: file, maxPending: limits.maxPendingRecords)
    }

    /// What all connections of this sink and of its copies have done so far.
    public var counts: Counts { state.withLock { $0 } }

    public var encoding: ForwardEncoding { .otlp }

    public var maxPending: Int { limits.records * limits.requests }

    public var maxBytes: Int { limits.maxPendingBytes }

    /// What is to be said once of the files that are named in the address.
    func warnings() -> [String] {
        let isWarned = isWarned.withLock { isWarned in
            defer { isWarned = true }
            return isWarned
        }
        return isWarned ? [] : [address.headers, address.key].compactMap { $0.flatMap(SecretFile.warning) }
    }

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

    func begin(from place: ForwardPlace) async throws(ForwardError) -> ForwardBeginning {
        let thread = ThreadScheduler(name: "busctl-http")
        let waiter = Waiter<Result<Preparation, ForwardError>>()
        // The disk that libcurl and the files are on may be slow.
        let prepared = await waiter.outcome(ifCancelled: .failure(ForwardError(HTTPLoop.closed.description, .wait))) {
            thread.schedule { [sink] in
                waiter.end(with: Result { () throws(ForwardError) in try Preparation(for: sink) })
            }
            return {}
        }
        let preparation = try prepared.get()
        let client = HTTPClient(preparation.settings, on: thread) { [counts = sink.state] bytes in
            counts.withLock { $0.bytes += bytes }
        }
        let exporter = OTLPExporter(client, sink, secrets: preparation.settings.headers)
        self.exporter.withLock { $0 = exporter }
        try await exporter.probe()
        return ForwardBeginning(place, notes: preparation.warnings)
    }

    /// The client's settings, read where the disk may be waited for.
    private struct Preparation {
        var settings: HTTPClient.Settings
        var warnings: [String]

        init(for sink: OTLPSink) throws(ForwardError) {
            if let failure = HTTPClient.loadFailure { throw ForwardError("cannot speak HTTP: \(failure)", .end) }
            let address = sink.address
            settings = HTTPClient.Settings(url: address.url)
            do throws(HeadersFile.Failure) {
                if let path = address.headers { settings.headers = try HeadersFile(path: path).headers() }
            } catch {
                // It may be being written.
                throw ForwardError(error.description, .waitIfKnown)
            }
            settings.authority = address.authority
            settings.certificate = address.certificate
            settings.key = address.key
            settings.proxy = address.proxy
            settings.timeout = sink.timeout
            warnings = sink.warnings()
        }
    }

    func store(_ payload: [UInt8], cursor: String) -> AnySignal<ForwardReceipt, ForwardError> {
        let exporter = exporter.withLock { $0 }
        return Signals.create(of: ForwardReceipt.self, failure: ForwardError.self, limit: 1) { emitter in
            let finish: OTLPExporter.Finish = { result in
                switch result {
                case .success(let receipt):
                    emitter.send(receipt)
                    emitter.complete()
                case .failure(let failure): emitter.fail(failure)
                }
            }
            guard let exporter else {
                finish(.failure(ForwardError("the connection is not open", .wait)))
                return nil
            }
            exporter.store(payload, finish)
            return nil
        }
        .eraseToAnySignal()
    }

    /// Requests fail by themselves; there is no connection whose end would have to be noticed. Subscribed for the whole attempt, it keeps
    /// the connection, and gives up all requests with the attempt.
    func ending(on scheduler: ThreadScheduler) -> AnySignal<Void, ForwardError> {
        Signals.create(of: Void.self, failure: ForwardError.self) { [self] _ in ActionDisposable { self.close() } }
            .eraseToAnySignal()
    }

    private func close() { exporter.withLock { $0 }?.close() }
}
