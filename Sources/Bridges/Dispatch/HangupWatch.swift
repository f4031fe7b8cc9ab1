import Bus
import Dispatch
import Glibc

/// A descriptor of our own under Dispatch's watch, for as long as it may be looked at.
///
/// Dispatch tells of a hangup once, together with what there is to read at that moment, and of nothing after it: not of
/// what was left unread, nor of the end. So from then on this looks by itself.
final class HangupWatch: Sendable {
    private struct State {
        var descriptor: CInt
        var hasHungUp = false
    }

    private let state: Lock<State>
    private let queue: DispatchQueue
    private let events: Int16
    private let speak: @Sendable (_ bytes: Int) -> Demand

    /// - Parameters:
    ///   - descriptor: closed with ``close()``.
    ///   - events: what counts as ready, in poll(2)'s words.
    ///   - queue: where to speak.
    ///   - speak: says that the descriptor is ready.
    init(
        _ descriptor: CInt,
        for events: Int32,
        on queue: DispatchQueue,
        _ speak: @escaping @Sendable (_ bytes: Int) -> Demand
    ) {
        state = Lock(State(descriptor: descriptor))
        self.events = Int16(events)
        self.queue = queue
        self.speak = speak
    }

    /// Dispatch says that it is ready.
    func ready(_ bytes: Int) {
        // After a hangup only one of the two may speak, or one would speak of what the other's hearer has read.
        guard !state.withLock({ $0.hasHungUp }) else { return }
        if speak(bytes) == .more, look() { again() }
    }

    private func again() {
        queue.async { [self] in
            if isOpen, speak(0) == .more { again() }
        }
    }

    private var isOpen: Bool { state.withLock { $0.descriptor >= 0 } }

    /// Whether it has hung up, and so is ready for good.
    private func look() -> Bool {
        state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            var look = pollfd(fd: state.descriptor, events: events, revents: 0)
            guard poll(&look, 1, 0) > 0 else { return false }
            state.hasHungUp = Int32(look.revents) & (POLLHUP | POLLERR) != 0
            return state.hasHungUp
        }
    }

    func close() {
        let descriptor = state.withLock { state -> CInt in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { Glibc.close(descriptor) }
    }
}
