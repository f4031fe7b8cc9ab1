import Bus

/// Changes the record of one-shots in the store. Changes that come while one is written share the next write.
final class OneShotWriter: Sendable {
    /// Says whether it changed the record; leaves it as it was when it throws.
    typealias Change = @Sendable (inout JobRecord) throws(OneShotError) -> Bool

    private struct Pending: Sendable {
        let change: Change
        let waiter = Waiter<Result<Bool, any Error>>()
    }

    private struct State: Sendable {
        var pending: [Pending] = []
        var isWriting = false
    }

    /// The record may have been written.
    let changes = Subject(of: Void.self)

    private let name: String
    private let store: any JobStore
    private let executor: (any TaskExecutor)?
    private let now: @Sendable () -> TimerInstant
    private let state = Lock(State())

    /// Each conflict means that another has written.
    private static let maxConflicts = 100

    init(
        _ name: String,
        _ store: any JobStore,
        _ executor: (any TaskExecutor)?,
        _ now: @escaping @Sendable () -> TimerInstant
    ) {
        self.name = name
        self.store = store
        self.executor = executor
        self.now = now
    }

    /// Returns what the change has said when the store has it.
    func write(_ change: @escaping Change) async throws -> Bool {
        let pending = Pending(change: change)
        return try await pending.waiter.outcome(ifCancelled: .failure(CancellationError())) {
            let begins = state.withLock { state in
                state.pending.append(pending)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if begins { Task(executorPreference: executor) { await self.writeAll() } }
            return nil
        }
        .get()
    }

    private func writeAll() async {
        while let batch = next() {
            let results: [Result<Bool, any Error>]
            do {
                results = try await write(batch)
            } catch {
                results = Array(repeating: .failure(error), count: batch.count)
            }
            for (pending, result) in zip(batch, results) { pending.waiter.end(with: result) }
        }
    }

    private func next() -> [Pending]? {
        state.withLock { state in
            // Callers that were cancelled before do not want it any more.
            state.pending.removeAll { !$0.waiter.isOpen }
            state.isWriting = !state.pending.isEmpty
            defer { state.pending = [] }
            return state.isWriting ? state.pending : nil
        }
    }

    private func write(_ batch: [Pending]) async throws -> [Result<Bool, any Error>] {
        for _ in 0..<Self.maxConflicts {
            let stored = try await store.load(name)
            var record = stored ?? JobRecord(done: now(), at: now())
            let results = batch.map { pending in
                Result<Bool, any Error> { try pending.change(&record) }
            }
            if record.entries == stored?.entries ?? [] { return results }
            record.revision += 1
            record.grant = nil
            // Also after an error: the store may have taken it.
            defer { changes.send(()) }
            if try await store.save(record, of: name) { return results }
        }
        throw OneShotError.contended(job: name)
    }
}
