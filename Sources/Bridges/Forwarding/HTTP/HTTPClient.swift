import Bus
import CCurl

/// Sends requests over HTTP with libcurl. All of them run on one thread of the client's own, which also compresses their bodies with gzip; their
/// connections stay open for further ones.
final class HTTPClient: Sendable {
    /// The address, headers and limits of all requests.
    struct Settings: Sendable {
        var url: String
        /// Each as `Name: value`.
        var headers: [String] = []
        var authority: String?
        var certificate: String?
        var key: String?
        var proxy: String?
        /// How long a request may take, without its body.
        var timeout = Duration.seconds(30)
    }

    struct Answer: Sendable {
        var status: Int
        /// How long to wait before another attempt, as the server asks; zero if it does not.
        var retryAfter: Duration
        /// At most ``HTTPClient/maxAnswer`` bytes of it.
        var body: [UInt8]
    }

    struct Failure: Error, Sendable, Hashable {
        var description: String
        /// libcurl's number.
        var code: Int32

        /// An error of libcurl's, in its words.
        init(_ code: Int32) {
            description = ccurl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code)"
            self.code = code
        }

        init(description: String, code: Int32) {
            self.description = description
            self.code = code
        }

        static let noMemory = Failure(Int32(CURLE_OUT_OF_MEMORY.rawValue))
    }

    typealias Finish = @Sendable (Result<Answer, Failure>) -> Void

    /// So many bytes of an answer's body are read.
    static let maxAnswer = 64 << 10

    private let loop: HTTPLoop
    private let thread: ThreadScheduler

    /// Why libcurl cannot be loaded, if so. Then there can be no client.
    static let loadFailure = ccurl_load().map { String(cString: $0) }

    /// - Parameters:
    ///   - thread: the client's own.
    ///   - sent: called on it with the number of bytes of each body, compressed.
    init(_ settings: Settings, on thread: ThreadScheduler, sent: @escaping @Sendable (Int) -> Void) {
        self.thread = thread
        loop = HTTPLoop(settings, sent: sent)
        thread.schedule { [loop] in loop.run() }
    }

    deinit {
        close()
    }

    /// Sends a body. `finish` is called once, on the client's thread, or here if the client is closed.
    func send(_ body: [UInt8], headers: [String], finish: @escaping Finish) {
        loop.send(HTTPLoop.Job(body: body, headers: headers, finish: finish))
    }

    /// The same as a task waits for it.
    func send(_ body: [UInt8], headers: [String]) async -> Result<Answer, Failure> {
        let waiter = Waiter<Result<Answer, Failure>>()
        return await waiter.outcome(ifCancelled: .failure(HTTPLoop.closed)) {
            send(body, headers: headers) { waiter.end(with: $0) }
            return {}
        }
    }

    /// Gives up all requests: they fail.
    func close() { loop.close() }
}
