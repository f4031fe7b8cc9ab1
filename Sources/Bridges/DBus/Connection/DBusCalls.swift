import Bus

/// The calls that wait for their answers. On the connection's thread.
struct DBusCalls {
    typealias Answer = @Sendable (Result<DBusMessage, DBusError>) -> Void

    private struct Waiting {
        let number: UInt64?
        let operation: String
        let deadline: Int64?
        let answer: Answer
    }

    private var waiting: [UInt64: Waiting] = [:]
    /// The cookie of each call that can be forgotten.
    private var cookies: [UInt64: UInt64] = [:]
    /// No call is due before; calls that were answered are not taken into account.
    private(set) var nextDeadline: Int64?

    mutating func begin(_ number: UInt64?, _ call: DBusCall, _ answer: @escaping Answer, _ output: DBusOutput) {
        do throws(DBusError) {
            let cookie = try output.send(call)
            let deadline = call.timeout.map { Self.deadline(after: $0) }
            waiting[cookie] = Waiting(number: number, operation: call.operation, deadline: deadline, answer: answer)
            if let number { cookies[number] = cookie }
            if let deadline { nextDeadline = nextDeadline.map { min($0, deadline) } ?? deadline }
        } catch {
            answer(.failure(error))
        }
    }

    mutating func forget(_ number: UInt64) {
        guard let cookie = cookies.removeValue(forKey: number) else { return }
        waiting[cookie] = nil
    }

    mutating func answer(_ header: DBusMessage, _ reading: MessageReading) {
        guard let cookie = header.replyCookie, let call = remove(cookie) else { return }
        do throws(DBusReadError) {
            var message = header
            message.arguments = try reading.arguments()
            guard message.kind == .error else { return call.answer(.success(message)) }
            call.answer(
                .failure(DBusError(.remote(name: message.errorName ?? "", message: message.text ?? ""), call.operation))
            )
        } catch {
            let reason =
                "the answer's arguments, \(header.signature), cannot be read: \(SystemError.numbered(error.code))"
            call.answer(.failure(DBusError(.unexpected(reason), call.operation)))
        }
    }

    /// Fails the calls whose time is over.
    mutating func expire() {
        guard let nextDeadline, nextDeadline <= MonotonicTime.nanoseconds else { return }
        let now = MonotonicTime.nanoseconds
        for (cookie, call) in waiting where call.deadline.map({ $0 <= now }) ?? false {
            remove(cookie)?.answer(.failure(DBusError(.timedOut, call.operation)))
        }
        self.nextDeadline = waiting.values.compactMap(\.deadline).min()
    }

    mutating func fail(_ reason: DBusError.Reason) {
        let left = waiting.values
        (waiting, cookies) = ([:], [:])
        for call in left { call.answer(.failure(DBusError(reason, call.operation))) }
    }

    private static func deadline(after timeout: Duration) -> Int64 {
        let (seconds, attoseconds) = timeout.components
        // A hundred years are for ever.
        let capped = min(max(seconds, 0), 3_000_000_000)
        return MonotonicTime.nanoseconds + capped * 1_000_000_000 + (seconds < 0 ? 0 : attoseconds / 1_000_000_000)
    }

    @discardableResult
    private mutating func remove(_ cookie: UInt64) -> Waiting? {
        guard let call = waiting.removeValue(forKey: cookie) else { return nil }
        if let number = call.number { cookies[number] = nil }
        return call
    }
}
