import Bus
import Timers

/// The requests that wait for their answers.
final class NATSRequests: Sendable {
    fileprivate struct Waiting: Sendable {
        let subject: String
        var asker: Asker
    }

    fileprivate enum Asker: Sendable {
        case closure(NATSCommand.Answer, timer: TimerHandle?)
        /// Without a timer of its own: the storing has one for all its messages, and asks for those whose time is up.
        case storing(NATSStoring, tag: UInt64, deadline: Int64)
    }

    private let place: String
    private let waiting = Lock<[UInt64: Waiting]>([:])

    init(place: String) {
        self.place = place
    }

    func begin(_ number: UInt64, to subject: String, timeout: Duration, _ answer: @escaping NATSCommand.Answer) {
        waiting.withLock { $0[number] = Waiting(subject: subject, asker: .closure(answer, timer: nil)) }
        let timer = TimerScheduler.shared.schedule(after: timeout) { [self] in fail(number, .timedOut) }
        let isOver = waiting.withLock { waiting in
            waiting[number]?.asker = .closure(answer, timer: timer)
            return waiting[number] == nil
        }
        if isOver { timer.cancel() }
    }

    /// - Parameter deadline: see ``overdue(of:at:)``.
    func begin(_ number: UInt64, to subject: String, for storing: NATSStoring, tag: UInt64, deadline: Int64) {
        waiting.withLock {
            $0[number] = Waiting(subject: subject, asker: .storing(storing, tag: tag, deadline: deadline))
        }
    }

    /// Lets go of it; its answer is not heard. False when it was answered or has failed.
    @discardableResult
    func forget(_ number: UInt64) -> Bool { take(number) != nil }

    /// Lets go of all of a storing; returns how many there were.
    func forgetAll(of window: NATSStoringWindow) -> Int {
        let forgotten = waiting.withLock { waiting -> [UInt64: Waiting] in
            let all = waiting.filter { $1.belongs(to: window) }
            for number in all.keys { waiting[number] = nil }
            return all
        }
        return forgotten.count
    }

    /// The first request of a storing whose time is up; or else when that of the next is, if there is one.
    func overdue(of window: NATSStoringWindow, at now: Int64) -> (number: UInt64?, next: Int64?) {
        waiting.withLock { waiting in
            var (number, next) = (UInt64?.none, Int64.max)
            for (candidate, request) in waiting where request.belongs(to: window) {
                guard case .storing(_, _, let deadline) = request.asker, deadline < next else { continue }
                (number, next) = (candidate, deadline)
            }
            guard let number else { return (nil, nil) }
            return next <= now ? (number, nil) : (nil, next)
        }
    }

    /// - Parameter message: a message of libnats.
    func answer(_ number: UInt64, _ message: OpaquePointer) {
        guard let request = take(number) else { return }
        switch request.asker {
        case .storing(let storing, let tag, _): storing.hear(number, tag, message, request.subject)
        case .closure(let answer, _):
            let message = NATSMessage(reading: message)
            let problem = message.isNoResponders ? .noResponders : message.serviceProblem
            answer(problem.map { .failure(error($0, request)) } ?? .success(message))
        }
    }

    /// False when it was answered or has failed.
    @discardableResult
    func fail(_ number: UInt64, _ reason: NATSError.Reason) -> Bool {
        guard let request = take(number) else { return false }
        fail(request, reason)
        return true
    }

    /// Fails those that the server does not permit.
    func fail(_ refusal: NATSRefusal, _ reason: NATSError.Reason) {
        let numbers = waiting.withLock { $0.filter { refusal.isOf($1.subject) }.map(\.key) }
        for number in numbers { fail(number, reason) }
    }

    func failAll(_ reason: NATSError.Reason) {
        let left = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        for request in left.values {
            if case .closure(_, let timer?) = request.asker { timer.cancel() }
            fail(request, reason)
        }
    }

    private func fail(_ request: Waiting, _ reason: NATSError.Reason) {
        switch request.asker {
        case .closure(let answer, _): answer(.failure(error(reason, request)))
        case .storing(let storing, _, _): storing.fail(reason, request.subject)
        }
    }

    private func take(_ number: UInt64) -> Waiting? {
        let request = waiting.withLock { $0.removeValue(forKey: number) }
        if case .closure(_, let timer?) = request?.asker { timer.cancel() }
        return request
    }

    private func error(_ reason: NATSError.Reason, _ request: Waiting) -> NATSError {
        NATSError(reason, "request \"\(request.subject)\"", server: place)
    }
}

extension NATSRequests.Waiting {
    fileprivate func belongs(to window: NATSStoringWindow) -> Bool {
        guard case .storing(let storing, _, _) = asker else { return false }
        return storing.window === window
    }
}

extension NATSMessage {
    /// Whether the server says that nobody listens.
    var isNoResponders: Bool { payload.isEmpty && headers["Status"] == "503" }

    /// The error that a service answered with, as NATS's services do.
    var serviceProblem: NATSError.Reason? {
        guard let code = headers[NATSServiceHeader.code] else { return nil }
        return .service(code: Int(code) ?? 500, text: headers[NATSServiceHeader.text] ?? "")
    }
}

/// The headers by which a NATS service says that it failed.
enum NATSServiceHeader {
    static let code = "Nats-Service-Error-Code"
    static let text = "Nats-Service-Error"
}
