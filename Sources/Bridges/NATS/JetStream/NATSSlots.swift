import Bus
import DequeModule

/// Bounds how many messages of a connection are on their way to a stream. Each takes a slot before it is sent.
final class NATSSlots: Sendable {
    private struct State: Sendable {
        var free: Int
        var lastNumber: UInt64 = 0
        var order: Deque<UInt64> = []
        /// The requests that wait for a slot. A withdrawn request stays in `order` until it is the first.
        var waiting: [UInt64: @Sendable () -> Void] = [:]
        var isHandingOut = false
    }

    private let state: Lock<State>

    init(_ count: Int) {
        state = Lock(State(free: max(1, count)))
    }

    /// Calls `start` when there is a slot, which is the caller's then, in the order of the requests. It is called on
    /// this thread, on one that releases a slot, or on another that reserves.
    ///
    /// - Returns: a number to withdraw the request with.
    func reserve(_ start: @escaping @Sendable () -> Void) -> UInt64 {
        let number = state.withLock { state -> UInt64 in
            state.lastNumber += 1
            state.order.append(state.lastNumber)
            state.waiting[state.lastNumber] = start
            return state.lastNumber
        }
        handOut()
        return number
    }

    /// Takes a slot at once, if there is one and nobody waits.
    func take() -> Bool {
        state.withLock { state in
            guard state.free > 0, state.waiting.isEmpty, !state.isHandingOut else { return false }
            state.free -= 1
            return true
        }
    }

    /// Takes back a request. False when it has its slot already.
    func withdraw(_ number: UInt64) -> Bool {
        let start = state.withLock { state -> (@Sendable () -> Void)? in
            let start = state.waiting.removeValue(forKey: number)
            // Withdrawn numbers must not gather while no slot is given back.
            if state.order.count > 2 * state.waiting.count + 64 {
                state.order = Deque(state.order.filter { state.waiting[$0] != nil })
            }
            return start
        }
        return start != nil
    }

    /// Gives a slot back.
    func release() { handOut(back: 1) }

    /// - Parameter count: how many slots are given back.
    private func handOut(back count: Int = 0) {
        var count = count
        // A start may release its slot at once. Then the loop goes on instead of another one inside it.
        var isMine = false
        while true {
            let start = state.withLock { state -> (@Sendable () -> Void)? in
                state.free += count
                count = 0
                if state.isHandingOut, !isMine { return nil }
                state.isHandingOut = false
                while state.free > 0, let number = state.order.popFirst() {
                    guard let start = state.waiting.removeValue(forKey: number) else { continue }
                    state.free -= 1
                    state.isHandingOut = true
                    return start
                }
                return nil
            }
            guard let start else { return }
            isMine = true
            start()
        }
    }
}
