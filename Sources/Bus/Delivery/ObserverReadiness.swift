import CLinux

/// Waits until an observer that paused has room.
package enum ObserverReadiness {
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
            let (demand, isCalled) = prepare(ask)
            guard demand == .pause else { return demand }
            guard isCalled.outcomeOnThread() == true else { return .stop }
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
            let (demand, isCalled) = prepare(ask)
            guard demand == .pause else { return demand }
            guard await isCalled.outcome(ifCancelled: false) else { return .stop }
        }
        return .stop
    }

    private static func prepare(_ ask: (@escaping @Sendable () -> Void) -> Demand) -> (Demand, Waiter<Bool>) {
        let isCalled = Waiter<Bool>()
        // Held by the request alone, so that a request that is dropped is noticed.
        let call = ReadyCall(isCalled)
        let share = clinux_this_delivery_share()
        let outer = share.pointee.asking
        // Retained by `isCalled`, and taken back before this returns.
        share.pointee.asking = Unmanaged.passUnretained(isCalled).toOpaque()
        defer { share.pointee.asking = outer }
        return (ask { call.call() }, isCalled)
    }

    /// For the keeper of a request that is being made: says how to withdraw it, if it is one that may be withdrawn
    /// because its task was cancelled. Otherwise it would stay until there is room.
    static func onWithdrawal(_ withdraw: @escaping @Sendable () -> Void) {
        guard let asking = clinux_this_delivery_share().pointee.asking else { return }
        // Set by `prepare`, which is under way and holds it.
        Unmanaged<Waiter<Bool>>.fromOpaque(asking).takeUnretainedValue().onCancel(withdraw)
    }
}

/// Calls back for a waiter. When it is released, nobody calls any more.
private final class ReadyCall: Sendable {
    private let waiter: Waiter<Bool>

    init(_ waiter: Waiter<Bool>) {
        self.waiter = waiter
    }

    deinit {
        waiter.end(with: false)
    }

    func call() { waiter.end(with: true) }
}
