import Bus
import Timers

/// Sends the batches of one connection.
final class OTLPExporter: Sendable {
    struct Item: Sendable {
        let cursor: String
        let payload: [UInt8]
        let finish: @Sendable (Result<ForwardReceipt, ForwardFailure>) -> Void
    }

    private struct State: Sendable {
        var batches: OTLPBatches<Item>
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastTask: UInt64 = 0
        var isClosed = false
    }

    private static let closed = ForwardFailure("the connection was closed", .wait)
    /// So often a request is sent again before the forwarder hears of a failure, reports it, and connects anew.
    private static let backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(5), limit: 4)

    private let client: HTTPClient
    private let url: String
    private let deadLetters: DeadLetters
    private let counts: Lock<OTLPSink.Counts>
    private let note: @Sendable (String) -> Void
    private let scheduler: any TimedScheduler
    private let state: Lock<State>

    init(_ client: HTTPClient, _ sink: OTLPSink) {
        self.client = client
        url = sink.address.url
        deadLetters = sink.deadLetters
        counts = sink.state
        note = sink.note
        scheduler = sink.scheduler
        state = Lock(State(batches: OTLPBatches(sink.limits)))
    }

    func store(_ item: Item) {
        let (batch, isClosed) = state.withLock { state in
            state.isClosed ? (nil, true) : (state.batches.add(item, size: item.payload.count), false)
        }
        if isClosed { item.finish(.failure(Self.closed)) }
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
                await deliver(batch[...])
                let next = finished(task: number)
                if let next { start(next) }
            }
            return false
        }
        if isClosed { end(batch[...], .failure(Self.closed)) }
    }

    /// A task has ended; returns the next batch, if there is one.
    private func finished(task number: UInt64) -> [Item]? {
        state.withLock { state in
            state.tasks[number] = nil
            return state.isClosed ? nil : state.batches.finished()
        }
    }

    private func deliver(_ items: ArraySlice<Item>) async {
        var logs = OTLPLogs()
        do {
            for item in items { try logs.append(encoded: item.payload) }
        } catch {
            return end(items, .failure(ForwardFailure("an entry is not encoded for OTLP: \(error)", .end)))
        }
        switch await post(logs.bytes) {
        case .taken(let response):
            if response.rejected > 0 || !response.message.isEmpty { report(response, of: items.count) }
            end(items, .success(.stored(sequence: nil, isDuplicate: false)))
        case .takenUnread(let flaw):
            note("\(flaw); the records are taken for stored")
            end(items, .success(.stored(sequence: nil, isDuplicate: false)))
        case .tooLarge where items.count > 1:
            let middle = items.startIndex + items.count / 2
            await deliver(items[..<middle])
            await deliver(items[middle...])
        case .tooLarge(let reason), .refused(let reason): refuse(items, reason)
        case .retry(let failure, _), .failed(let failure): end(items, .failure(failure))
        }
    }

    /// Sends a request, again where that may help.
    private func post(_ body: [UInt8]) async -> OTLPVerdict {
        var waits = BackoffWaits(Self.backoff)
        let zipped = Gzip.compressed(body)
        let headers = ["Content-Type: application/x-protobuf"] + (zipped == nil ? [] : ["Content-Encoding: gzip"])
        while true {
            counts.withLock { $0.requests += 1 }
            let verdict = OTLPVerdict(await client.send(zipped ?? body, headers: headers), from: url)
            guard case .retry(_, let atLeast) = verdict else { return verdict }
            let wait = waits.failed(after: .zero).map { Duration.nanoseconds($0) }
            // The receiver's wish holds for the next connection, too.
            do {
                try await scheduler.sleep(for: max(atLeast, wait ?? .zero))
            } catch {
                return .failed(Self.closed)
            }
            guard wait != nil else { return verdict }
            counts.withLock { $0.retries += 1 }
        }
    }

    /// Asks whether the receiver takes requests, with one that has no records.
    func probe() async throws(ForwardFailure) {
        switch OTLPVerdict(await client.send([], headers: ["Content-Type: application/x-protobuf"]), from: url) {
        // Some receivers refuse a request without records.
        case .taken, .takenUnread, .refused: return
        case .tooLarge(let text): throw ForwardFailure(text, .end)
        case .retry(let failure, let wait):
            // Ends early with the attempt.
            try? await scheduler.sleep(for: wait)
            throw failure
        case .failed(let failure): throw failure
        }
    }

    private func report(_ response: OTLPResponse, of count: Int) {
        counts.withLock { $0.rejected += Int(clamping: response.rejected) }
        let words = response.message.isEmpty ? "without a reason" : response.message
        note("\(url) has rejected \(response.rejected) of \(count) records: \(words)")
    }

    private func refuse(_ items: ArraySlice<Item>, _ reason: String) {
        do throws(ForwardFailure) {
            try deadLetters.append(items.map { ($0.cursor, $0.payload) }, reason: reason)
        } catch {
            return end(items, .failure(error))
        }
        counts.withLock { $0.refused += items.count }
        end(items, .success(.leftOut(reason: reason)))
    }

    private func end(_ items: ArraySlice<Item>, _ result: Result<ForwardReceipt, ForwardFailure>) {
        for item in items { item.finish(result) }
    }
}
