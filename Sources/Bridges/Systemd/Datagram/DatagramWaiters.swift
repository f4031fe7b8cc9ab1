import Bus
import Loop
import Timers

/// Calls senders that found a receiver's queue full when it has free capacity, or when they have waited long enough.
/// No thread is blocked for that: the event loop watches the socket.
final class DatagramWaiters: Sendable {
    private struct State: Sendable {
        var requests: [SendRequest] = []
        /// There while there are requests.
        var watch: EventLoop.Watch?

        /// Under the lock, so that the descriptor can be watched anew when the lock is released.
        mutating func endWatch() {
            watch?.dispose()
            watch = nil
        }
    }

    private let state = Lock(State())

    init() {}

    /// Has `request` called, once, on the thread that serves timers, and not before this returns: when the socket may have
    /// capacity, or when the time has passed.
    func ask(_ request: SendRequest, of socket: DatagramSocket, within patience: Duration) {
        state.withLock { state in
            state.requests.append(request)
            guard state.watch == nil else { return }
            // Without a watch, which the system may refuse, it is tried again when the time has passed. The closure keeps the
            // socket from being closed while it is watched.
            state.watch = try? EventLoop.shared.watch(socket.socket, for: [.writable, .once]) { _ in
                socket.waiters.open()
            }
        }
        request.expire(after: patience) { [weak socket, weak request] in
            guard let socket, let request, socket.waiters.forget(request) else { return }
            socket.wasAwaitedInVain()
            request.call()
        }
    }

    /// Takes a request back; false when it is being called.
    @discardableResult
    fileprivate func forget(_ request: SendRequest) -> Bool {
        state.withLock { state in
            guard let index = state.requests.firstIndex(where: { $0 === request }) else { return false }
            state.requests.remove(at: index)
            if state.requests.isEmpty { state.endWatch() }
            return true
        }
    }

    /// On the event loop's thread, where nothing but the package's own code may run.
    private func open() {
        let requests = state.withLock { state -> [SendRequest] in
            defer { state.requests = [] }
            state.endWatch()
            return state.requests
        }
        guard !requests.isEmpty else { return }
        ThreadScheduler.shared.schedule {
            for request in requests { request.call() }
        }
    }
}

/// A sender that waits for capacity. After disposal it is not called.
final class SendRequest: Disposable {
    private let action: Lock<(@Sendable () -> Void)?>
    private let timer = SerialTimer()
    // The waiters hold the request as long as that waits, and not longer.
    private let waiters: DatagramWaiters

    init(in waiters: DatagramWaiters, _ action: @escaping @Sendable () -> Void) {
        self.waiters = waiters
        self.action = Lock(action)
    }

    fileprivate func expire(after patience: Duration, _ work: @escaping @Sendable () -> Void) {
        let scheduler = TimerScheduler.shared
        timer.schedule(at: scheduler.now.advanced(by: patience), on: scheduler, work)
    }

    fileprivate func call() {
        timer.dispose()
        action.withLock { action -> (@Sendable () -> Void)? in action.take() }?()
    }

    func dispose() {
        timer.dispose()
        waiters.forget(self)
        // Its captures are released without the lock.
        let action = action.withLock { action -> (@Sendable () -> Void)? in action.take() }
        withExtendedLifetime(action) {}
    }

    var isDisposed: Bool { action.withLock { $0 == nil } }
}
