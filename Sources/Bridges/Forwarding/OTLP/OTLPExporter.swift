import Bus
import Timers

/// Sends the batches of one connection.
final class OTLPExporter: Sendable {
    struct Item: Sendable {
        /// A request with one record or several.
        let payload: [UInt8]
        /// How many records it has.
        let records: Int
        let finish: Finish
    }

    typealias Finish = @Sendable (Result<ForwardReceipt, ForwardError>) -> Void

    private struct State: Sendable {
        var batches: OTLPBatches<Item>
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastTask: UInt64 = 0
        /// Whether a timer runs for entries that wait.
        var isTimed = false
        var isClosed = false
        /// Whether it took a request without records: it speaks OTLP.
        var isReceiver = false
    }

    private static let closed = ForwardError("the connection was closed", .wait)
    /// So often a request is sent again before the forwarder hears of a failure, reports it, and connects anew.
    private static let backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(5), limit: 4)
    /// How long an entry waits for others while it could be sent.
    private static let maxDelay = Duration.milliseconds(200)

    private let client: HTTPClient
    private let url: String
    /// Values of headers; no message has them.
    private let secrets: [String]
    private let deadLetters: DeadLetters
    private let counts: Lock<OTLPSink.Counts>
    private let reports: OTLPReports
    private let scheduler: any TimedScheduler
    private let state: Lock<State>

    /// - Parameter secrets: headers whose values no message may have.
    init(_ client: HTTPClient, _ sink: OTLPSink, secrets: [String]) {
        self.client = client
        self.secrets = secrets.flatMap { Self.values(of: $0) }
        url = sink.address.url
        deadLetters = sink.deadLetters
        counts = sink.state
        reports = sink.reports
        scheduler = sink.scheduler
        state = Lock(State(batches: OTLPBatches(sink.limits)))
    }

    /// A header's value, and the credentials in it without their scheme; what is shorter than six bytes is no secret.
    private static func values(of header: String) -> [String] {
        guard let colon = header.firstIndex(of: ":") else { return [] }
        let value = header[header.index(after: colon)...].drop { $0 == " " }
        let credentials = value.split(separator: " ", maxSplits: 1).last ?? ""
        return [value, credentials].filter { $0.utf8.count >= 6 }.map(String.init)
    }

    /// A receiver's words without what it should not repeat.
    private func withoutSecrets(_ words: String) -> String {
        secrets.reduce(words) { $0.replacing($1, with: "…") }
    }

    func store(_ payload: [UInt8], _ finish: @escaping Finish) {
        let item: Item
        do throws(ProtobufFlaw) {
            item = Item(payload: payload, records: try OTLPLogs.count(of: payload), finish: finish)
        } catch {
            return finish(.failure(Self.notEncoded(error)))
        }
        let (batch, isClosed, needsTimer) = state.withLock { state -> ([Item]?, Bool, Bool) in
            if state.isClosed { return (nil, true, false) }
            let batch = state.batches.add(item, records: item.records, size: payload.count)
            let needsTimer = !state.isTimed && state.batches.isWaiting
            if needsTimer { state.isTimed = true }
            return (batch, false, needsTimer)
        }
        if isClosed { finish(.failure(Self.closed)) }
        if let batch { start(batch) }
        if needsTimer { scheduler.schedule(after: Self.maxDelay) { [weak self] in self?.sendWaiting() } }
    }

    private func sendWaiting() {
        let batch = state.withLock { state in
            state.isTimed = false
            return state.isClosed ? nil : state.batches.waited()
        }
        if let batch { start(batch) }
    }

    /// Gives up what is under way.
    func close() {
        client.close()
        let tasks = state.withLock { state in
            state.isClosed = true
            defer { state.tasks = [:] }
            return state.tasks
        }
        for task in tasks.values { task.cancel() }
    }

    private func start(_ batch: [Item]) {
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            state.lastTask += 1
            let number = state.lastTask
            state.tasks[number] = Task { [self] in
                await deliver(batch)
                let next = finished(task: number)
                if let next { start(next) }
            }
            return false
        }
        if isClosed { end(batch, .failure(Self.closed)) }
    }

    /// A task has ended; returns the next batch, if there is one.
    private func finished(task number: UInt64) -> [Item]? {
        state.withLock { state in
            state.tasks[number] = nil
            return state.isClosed ? nil : state.batches.finished()
        }
    }

    private func deliver(_ items: [Item]) async {
        // To protobuf, several requests one behind the other are one.
        let body = items.count == 1 ? items[0].payload : Array(items.map(\.payload).joined())
        let verdict = await post(body)
        switch verdict {
        case .taken, .takenUnread:
            took(verdict, count: items.reduce(0) { $0 + $1.records })
            end(items, .success(.stored(sequence: nil, isDuplicate: false)))
        case .refused(let reason, let isTooLarge):
            do throws(ForwardError) {
                try await sift(items, try Self.records(of: body), reason, isTooLarge)
            } catch {
                end(items, .failure(error))
            }
        case .retry(let failure, _), .failed(let failure): end(items, .failure(failure))
        }
    }

    /// The receiver has taken records.
    private func took(_ verdict: OTLPVerdict, count: Int) {
        var rejected = 0
        if case .taken(let response) = verdict { rejected = min(count, max(0, Int(clamping: response.rejected))) }
        counts.withLock {
            $0.rejected += rejected
            $0.stored += count - rejected
        }
        switch verdict {
        case .taken(let response) where rejected > 0 || !response.message.isEmpty:
            let words = response.message.isEmpty ? "without a reason" : response.message
            reports.report("\(url) has rejected \(rejected) of \(count) records: \(words)")
        case .takenUnread(let flaw): reports.report("\(flaw); the records are taken for stored")
        default: break
        }
    }

    /// Finds the records of a refused request that are refused by themselves, and records them.
    private func sift(
        _ items: [Item],
        _ records: OTLPRecords,
        _ reason: String,
        _ isTooLarge: Bool
    ) async throws(ForwardError) {
        var search = OTLPBisection(count: records.count, isTooLarge: isTooLarge, reason: reason)
        while let range = search.next {
            let verdict = await post(records.request(of: range))
            switch verdict {
            case .taken, .takenUnread:
                took(verdict, count: range.count)
                search.taken()
            case .refused(let reason, let isTooLarge): search.refused(isTooLarge: isTooLarge, reason: reason)
            case .retry(let failure, _), .failed(let failure): throw failure
            }
        }
        try await record(search.refusals, of: records)
        var (isRefused, first) = ([Bool](repeating: false, count: records.count), 0)
        for refusal in search.refusals { for index in refusal.records { isRefused[index] = true } }
        for item in items {
            let isLeftOut = item.records > 0 && isRefused[first..<first + item.records].allSatisfy { $0 }
            item.finish(.success(isLeftOut ? .leftOut(reason: nil) : .stored(sequence: nil, isDuplicate: false)))
            first += item.records
        }
    }

    private func record(_ refusals: [OTLPBisection.Refusal], of records: OTLPRecords) async throws(ForwardError) {
        guard let first = refusals.first else { return }
        var letters: [DeadLetters.Letter] = []
        for refusal in refusals {
            for index in refusal.records {
                do throws(ProtobufFlaw) {
                    let cursor = try records.cursor(of: index) ?? ""
                    let request = records.request(of: index..<index + 1)
                    letters.append(DeadLetters.Letter(cursor: cursor, reason: refusal.reason, request: request))
                } catch {
                    throw Self.notEncoded(error)
                }
            }
        }
        let new = deadLetters.new(of: letters)
        guard !new.isEmpty else { return }
        let isReceiver = state.withLock { $0.isReceiver }
        let all = counts.withLock { isReceiver || $0.stored > 0 ? 0 : $0.refused + new.count }
        guard all < OTLPBisection.patience else {
            // A server that is no receiver answers so, too; everything would go into the file.
            throw ForwardError(
                "\(first.reason); it has refused \(all) records and taken none: is it an OTLP receiver?",
                .end
            )
        }
        try await deadLetters.append(new)
        counts.withLock { $0.refused += new.count }
        reports.report("\(first.reason); \(new.count) refused records are kept in \(deadLetters.path)")
    }

    private static func records(of request: [UInt8]) throws(ForwardError) -> OTLPRecords {
        do throws(ProtobufFlaw) {
            return try OTLPRecords(request)
        } catch {
            throw notEncoded(error)
        }
    }

    private static func notEncoded(_ flaw: ProtobufFlaw) -> ForwardError {
        ForwardError("an entry is not encoded for OTLP: \(flaw)", .end)
    }

    /// Sends a request, again where that may help.
    private func post(_ body: [UInt8]) async -> OTLPVerdict {
        var waits = BackoffWaits(Self.backoff)
        while true {
            counts.withLock { $0.requests += 1 }
            let verdict = await ask(body)
            guard case .retry(_, let atLeast) = verdict else { return verdict }
            let wait = waits.failed(after: .zero).map { Duration.nanoseconds($0) }
            // The receiver's wish holds for the next connection, too.
            do {
                try await self.wait(max(atLeast, wait ?? .zero))
            } catch {
                return .failed(Self.closed)
            }
            guard wait != nil else { return verdict }
            counts.withLock { $0.retries += 1 }
        }
    }

    private func ask(_ body: [UInt8]) async -> OTLPVerdict {
        let answer = await client.send(body, headers: ["Content-Type: application/x-protobuf"])
        return OTLPVerdict(answer, from: url) { [self] in withoutSecrets($0) }
    }

    /// Waits before another attempt.
    private func wait(_ duration: Duration) async throws {
        counts.withLock { $0.waiting += 1 }
        defer { counts.withLock { $0.waiting -= 1 } }
        try await scheduler.sleep(for: duration)
    }

    /// Asks whether the receiver takes requests, with one that has no records.
    func probe() async throws(ForwardError) {
        switch await ask([]) {
        case .taken: state.withLock { $0.isReceiver = true }
        // Some receivers refuse a request without records.
        case .takenUnread, .refused: return
        case .retry(let failure, let wait):
            // Ends early with the attempt.
            try? await self.wait(wait)
            throw failure
        case .failed(let failure): throw failure
        }
    }

    private func end(_ items: [Item], _ result: Result<ForwardReceipt, ForwardError>) {
        for item in items { item.finish(result) }
    }
}
