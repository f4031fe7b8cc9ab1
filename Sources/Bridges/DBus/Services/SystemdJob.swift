import Bus

/// A change of systemd's jobs.
public enum SystemdJobEvent: Sendable, Hashable {
    /// It is queued, or runs.
    case queued(id: UInt32, unit: String)
    /// It has ended; `result` is `done`, `failed`, `canceled`, `timeout`, `dependency` or `skipped`.
    case ended(id: UInt32, unit: String, result: String)
    /// systemd's name has no owner. When it has come back, the present jobs are sent again.
    case managerGone

    static func events(in followed: DBusFollowed) -> [SystemdJobEvent] {
        switch followed {
        case .absent: [.managerGone]
        case .answer(let answer):
            // A row of `ListJobs`: number, unit, kind, state, and two paths.
            (answer.message.arguments.first?.elements ?? []).compactMap { row in
                guard let members = row.elements, members.count > 1, let id = number(members[0]) else { return nil }
                return .queued(id: id, unit: members[1].text ?? "")
            }
        case .signal(let signal): event(in: signal.message).map { [$0] } ?? []
        }
    }

    /// `JobNew` has a number, a path and a unit; `JobRemoved` a result besides.
    private static func event(in signal: DBusMessage) -> SystemdJobEvent? {
        guard signal.arguments.count > 2, let id = number(signal.arguments[0]), let unit = signal.arguments[2].text
        else { return nil }
        guard signal.member == "JobRemoved" else { return .queued(id: id, unit: unit) }
        return .ended(id: id, unit: unit, result: signal.arguments.dropFirst(3).first?.text ?? "")
    }

    private static func number(_ value: DBusValue) -> UInt32? { value.integer.flatMap { UInt32(exactly: $0) } }
}

/// Asks systemd for a job, and waits until it has ended.
///
/// The job may have ended before the answer with its path. So the connection listens first, and keeps the results of
/// all jobs that end until then.
final class SystemdJobWait: DBusListening {
    private struct State: Sendable {
        var path: String?
        /// The results of jobs that ended before the answer, by path. They are few, because the answer comes after
        /// earlier messages.
        var results: [String: String] = [:]
    }

    private let manager: SystemdManager
    private let request: DBusCall
    private let timeout: Duration?
    private let state = Lock(State())
    private let ended = Waiter<Result<String, any Error>>()

    init(_ manager: SystemdManager, _ request: DBusCall, _ timeout: Duration?) {
        self.manager = manager
        self.request = request
        self.timeout = timeout
    }

    func result() async throws -> String {
        let owned = CompoundDisposable()
        defer { owned.dispose() }
        return try await ended.outcome(ifCancelled: .failure(CancellationError())) {
            begin(owned)
            return { owned.dispose() }
        }
        .get()
    }

    private func begin(_ owned: CompoundDisposable) {
        let core = manager.connection.core
        owned.add(core.subscribe(to: .ownerChanges(of: manager.name), self))
        owned.add(core.subscribe(to: manager.signal("JobRemoved"), self))
        _ = core.call(manager.subscribe) { _ in }
        owned.add(core.call(request) { self.take($0) })
        guard let timeout else { return }
        let limit = Task { [self] in
            try await Task.sleep(for: timeout)
            end(.failure(DBusError(.timedOut, "wait for the job of \(request.operation)")))
        }
        owned.add(ActionDisposable { limit.cancel() })
    }

    var isWanted: Bool { ended.isOpen }

    func hear(_ message: DBusMessage) {
        guard message.member == "JobRemoved" else {
            let reason = DBusError.Reason.unexpected("systemd was restarted, and does not tell of the job any more")
            return end(.failure(DBusError(reason, request.operation)))
        }
        guard message.arguments.count > 3, let path = message.arguments[1].text, let result = message.arguments[3].text
        else { return }
        let isMine = state.withLock { state in
            if state.path == nil { state.results[path] = result }
            return state.path == path
        }
        if isMine { end(.success(result)) }
    }

    /// A signal that cannot be read may have been the awaited one.
    func miss(_ count: Int) {
        end(.failure(DBusError(.unexpected("a signal of systemd's could not be read"), request.operation)))
    }

    func fail(_ error: DBusError) { end(.failure(error)) }

    private func take(_ answer: Result<DBusMessage, DBusError>) {
        switch answer {
        case .failure(let error): end(.failure(error))
        case .success(let message):
            guard let path = message.text else {
                return end(.failure(DBusError(.unexpected("the answer is '\(message.signature)'"), request.operation)))
            }
            let result = state.withLock { state in
                state.path = path
                return state.results[path]
            }
            if let result { end(.success(result)) }
        }
    }

    private func end(_ result: Result<String, any Error>) { ended.end(with: result) }
}
