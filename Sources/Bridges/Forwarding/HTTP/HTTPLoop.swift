import Bus
import CCurl

/// The thread of an ``HTTPClient``: it alone touches libcurl's handles, but for waking it.
final class HTTPLoop: Sendable {
    struct Job: Sendable {
        let body: [UInt8]
        let headers: [String]
        let finish: HTTPClient.Finish
    }

    private struct State: Sendable {
        var waiting: [Job] = []
        var isClosed = false
        /// libcurl's handle as a number, while the thread has one.
        var multi: UInt = 0

        /// With the lock held, so that the handle is not freed meanwhile.
        func wake() { _ = OpaquePointer(bitPattern: multi).map { ccurl_multi_wakeup($0) } }
    }

    static let closed = HTTPClient.Failure(description: "the connection was closed", code: 0)
    private let settings: HTTPClient.Settings
    private let sent: @Sendable (Int) -> Void
    private let state = Lock(State())

    init(_ settings: HTTPClient.Settings, sent: @escaping @Sendable (Int) -> Void) {
        self.settings = settings
        self.sent = sent
    }

    func send(_ job: Job) {
        let isTaken = state.withLock { state in
            guard !state.isClosed else { return false }
            state.waiting.append(job)
            state.wake()
            return true
        }
        if !isTaken { job.finish(.failure(Self.closed)) }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake()
        }
    }

    /// Blocks until the client is closed.
    func run() {
        guard let gzip = Gzip(), let multi = ccurl_multi_init() else { return end([], because: .noMemory) }
        // Without descriptors it begins all the same, and hears no call.
        guard ccurl_multi_wakeup(multi) == 0 else {
            ccurl_multi_cleanup(multi)
            return end([], because: HTTPClient.Failure(description: "too many files are open", code: 0))
        }
        state.withLock { $0.multi = UInt(bitPattern: multi) }
        var failure = Self.closed
        var transfers: [OpaquePointer: HTTPTransfer] = [:]
        while let jobs = next() {
            for job in jobs {
                do throws(HTTPClient.Failure) {
                    let transfer = try HTTPTransfer(job, settings, gzip)
                    guard ccurl_multi_add(multi, transfer.handle) == 0 else { throw .noMemory }
                    transfers[transfer.handle] = transfer
                    sent(transfer.body.count)
                } catch {
                    job.finish(.failure(error))
                }
            }
            _ = ccurl_multi_perform(multi)
            while let message = ccurl_multi_done(multi) {
                let (handle, code) = (
                    message.pointee.easy_handle.map { OpaquePointer($0) }, message.pointee.data.result
                )
                guard let handle, let transfer = transfers.removeValue(forKey: handle) else { break }
                ccurl_multi_remove(multi, handle)
                transfer.job.finish(transfer.result(code))
            }
            // As long as nothing happens; libcurl itself ends the wait for its own time limits.
            let code = ccurl_multi_poll(multi, 60_000)
            if code != 0 {
                failure = HTTPClient.Failure(description: "libcurl cannot wait: error \(code)", code: 0)
                break
            }
        }
        state.withLock { $0.multi = 0 }
        for handle in transfers.keys { ccurl_multi_remove(multi, handle) }
        end(transfers.values.map(\.job), because: failure)
        transfers = [:]
        ccurl_multi_cleanup(multi)
    }

    /// Requests that wait to be sent; `nil` when the client is closed.
    private func next() -> [Job]? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func end(_ jobs: [Job], because failure: HTTPClient.Failure) {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in jobs + waiting { job.finish(.failure(failure)) }
    }
}
