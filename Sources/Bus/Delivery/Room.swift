import CLinux

/// Waits until an observer that paused has room.
package enum Room {
    /// Blocks the calling thread, and asks with `ask`, which is the observer's ``Observer/whenReady(_:)``, until the
    /// answer is not to pause. Returns ``Demand/stop``, too, when nobody can call back any more.
    ///
    /// - Throws: ``BlockingError`` on a thread that must not be blocked, also when there is room already.
    package static func block(
        _ ask: (@escaping @Sendable () -> Void) -> Demand
    ) throws(BlockingError) -> Demand {
        if withUnsafeCurrentTask(body: { $0 != nil }) { throw .insideTask }
        if clinux_thread_is_owned() { throw .onPackageThread }
        while true {
            let (demand, call) = prepare(ask)
            guard demand == .pause else { return demand }
            guard call.waitOnThread() else { return .stop }
        }
    }

    /// Asks with `ask`, which is the observer's ``Observer/whenReady(_:)``, until the answer is not to pause.
    ///
    /// Returns ``Demand/stop``, too, when nobody can call back any more, as after a disposal, and when the task is
    /// cancelled.
    package static func wait(
        isolation actor: isolated (any Actor)? = #isolation,
        _ ask: (@escaping @Sendable () -> Void) -> Demand
    ) async -> Demand {
        while !Task.isCancelled {
            let (demand, call) = prepare(ask)
            guard demand == .pause else { return demand }
            guard await call.wait() else { return .stop }
        }
        return .stop
    }

    private static func prepare(_ ask: (@escaping @Sendable () -> Void) -> Demand) -> (Demand, AwaitedCall) {
        let call = AwaitedCall()
        // The caller is held by the request alone, so that a request that is dropped is noticed.
        let caller = AwaitedCall.Caller(call)
        let share = clinux_this_delivery_share()
        let outer = share.pointee.asking
        // Retained by `call`, and taken back before this returns.
        share.pointee.asking = Unmanaged.passUnretained(call).toOpaque()
        defer { share.pointee.asking = outer }
        return (ask { caller.call() }, call)
    }

    /// For the keeper of a request that is being made: says how to withdraw it, if it is one that may be withdrawn
    /// because its task was cancelled. Otherwise it would stay until there is room.
    static func onWithdrawal(_ withdraw: @escaping @Sendable () -> Void) {
        guard let asking = clinux_this_delivery_share().pointee.asking else { return }
        // Set by `prepare`, which is under way and holds it.
        Unmanaged<AwaitedCall>.fromOpaque(asking).takeUnretainedValue().onWithdrawal(withdraw)
    }
}

/// A call that a task or a thread waits for.
private final class AwaitedCall: Sendable {
    private enum State: Sendable {
        case expected
        case awaited(CheckedContinuation<Bool, Never>)
        case awaitedOnThread(Latch)
        case over(wasCalled: Bool)
    }

    private let state = Lock(State.expected)
    /// Withdraws the request. It holds the keeper of the request, and the keeper holds this, until either is done.
    private let withdrawal = Lock<(@Sendable () -> Void)?>(nil)

    /// The part that calls back. When it is released, nobody calls any more.
    final class Caller: Sendable {
        private let awaited: AwaitedCall

        init(_ awaited: AwaitedCall) {
            self.awaited = awaited
        }

        deinit {
            awaited.end(wasCalled: false)
        }

        func call() { awaited.end(wasCalled: true) }
    }

    /// Whether the call came.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wasCalled = state.withLock { state -> Bool? in
                    if case .over(let wasCalled) = state { return wasCalled }
                    state = .awaited(continuation)
                    return nil
                }
                if let wasCalled { continuation.resume(returning: wasCalled) }
            }
        } onCancel: {
            let withdraw = withdrawal.withLock { $0.take() }
            withdraw?()
            end(wasCalled: false)
        }
    }

    func onWithdrawal(_ withdraw: @escaping @Sendable () -> Void) {
        withdrawal.withLock { $0 = withdraw }
        // It may have been called already.
        if case .over = state.withLock({ $0 }) { dropWithdrawal() }
    }

    private func dropWithdrawal() {
        let dropped = withdrawal.withLock { $0.take() }
        withExtendedLifetime(dropped) {}
    }

    /// Whether the call came. Blocks the thread.
    func waitOnThread() -> Bool {
        let latch = Latch()
        state.withLock { state in
            if case .expected = state { state = .awaitedOnThread(latch) } else { latch.open() }
        }
        latch.wait()
        return state.withLock { state in
            if case .over(wasCalled: true) = state { true } else { false }
        }
    }

    private func end(wasCalled: Bool) {
        let waiting = state.withLock { state -> State in
            let waiting = state
            if case .over = state { return waiting }
            state = .over(wasCalled: wasCalled)
            return waiting
        }
        dropWithdrawal()
        switch waiting {
        case .expected, .over: break
        case .awaited(let continuation): continuation.resume(returning: wasCalled)
        case .awaitedOnThread(let latch): latch.open()
        }
    }
}
