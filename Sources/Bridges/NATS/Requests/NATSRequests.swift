#if NATS
    import Bus
    import Timers

    /// The requests that wait for their answers.
    final class NATSRequests: Sendable {
        private struct Waiting: Sendable {
            let subject: String
            let answer: NATSCommand.Answer
            var timer: TimerHandle?
        }

        private let place: String
        private let waiting = Lock<[UInt64: Waiting]>([:])

        init(place: String) {
            self.place = place
        }

        func begin(_ number: UInt64, to subject: String, timeout: Duration, _ answer: @escaping NATSCommand.Answer) {
            waiting.withLock { $0[number] = Waiting(subject: subject, answer: answer) }
            let timer = TimerScheduler.shared.schedule(after: timeout) { [self] in fail(number, .timedOut) }
            let isOver = waiting.withLock { waiting in
                waiting[number]?.timer = timer
                return waiting[number] == nil
            }
            if isOver { timer.cancel() }
        }

        /// Lets go of it; its answer is not heard. False when it was answered or has failed.
        @discardableResult
        func forget(_ number: UInt64) -> Bool { take(number) != nil }

        func answer(_ number: UInt64, _ message: NATSMessage) {
            if message.isNoResponders { return fail(number, .noResponders) }
            guard let request = take(number) else { return }
            if let problem = message.serviceProblem {
                request.answer(.failure(error(problem, request)))
            } else {
                request.answer(.success(message))
            }
        }

        func fail(_ number: UInt64, _ reason: NATSError.Reason) {
            guard let request = take(number) else { return }
            request.answer(.failure(error(reason, request)))
        }

        /// Fails those that were sent to a subject.
        func fail(to subject: String, _ reason: NATSError.Reason) {
            let numbers = waiting.withLock { $0.filter { $1.subject == subject }.map(\.key) }
            for number in numbers { fail(number, reason) }
        }

        func failAll(_ reason: NATSError.Reason) {
            let left = waiting.withLock { waiting in
                defer { waiting = [:] }
                return waiting
            }
            for request in left.values {
                request.timer?.cancel()
                request.answer(.failure(error(reason, request)))
            }
        }

        private func take(_ number: UInt64) -> Waiting? {
            let request = waiting.withLock { $0.removeValue(forKey: number) }
            request?.timer?.cancel()
            return request
        }

        private func error(_ reason: NATSError.Reason, _ request: Waiting) -> NATSError {
            NATSError(reason, "request \"\(request.subject)\"", server: place)
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
#endif
