import Bus
import CLinux
import Loop

/// Makes calls that may block, one at a time, on a thread of its own.
///
/// A call is made when its descriptor is ready. It blocks when another process was faster, or when a terminal takes less than it
/// is given. A subscription does not wait for that: it ends, and the thread ends when the call returns.
final class BlockingCalls<Outcome: Sendable>: Sendable {
    enum Progress {
        case over(Outcome)
        /// The pump is woken when the call ends.
        case underWay
        case notReady
    }

    private enum Phase: Sendable {
        case idle
        case underWay
        case over(Outcome)
        case closed
    }

    /// Not the subscription's, which closes that when it ends.
    private let descriptor: OwnedDescriptor
    private let scheduler = ThreadScheduler(name: "bus-blocking")
    private let phase = Lock(Phase.idle)

    init(for descriptor: OwnedDescriptor) throws(DescriptorError) {
        self.descriptor = try .duplicate(of: descriptor.number)
    }

    /// Returns the result of the last call, once; without one, makes a call if the descriptor is ready.
    func advance(
        ifReadyFor event: ReadyEvents,
        _ pump: DescriptorPump,
        _ call: @escaping @Sendable (CInt) -> Outcome
    ) -> Progress {
        let isReady = clinux_is_ready(descriptor.number, event == .writable ? 1 : 0) != 0
        let progress = phase.withLock { phase -> Progress? in
            switch phase {
            case .over(let outcome):
                phase = .idle
                return .over(outcome)
            case .underWay, .closed: return .underWay
            case .idle:
                guard isReady else { return .notReady }
                phase = .underWay
                return nil
            }
        }
        if let progress { return progress }
        scheduler.schedule {
            self.finish(call(self.descriptor.number))
            pump.wake()
        }
        return .underWay
    }

    /// Closes the descriptor, now or when the call that is under way returns.
    func close() {
        let isIdle = phase.withLock { phase -> Bool in
            if case .underWay = phase {
                phase = .closed
                return false
            }
            phase = .closed
            return true
        }
        if isIdle { descriptor.close() }
    }

    private func finish(_ outcome: Outcome) {
        let isClosed = phase.withLock { phase -> Bool in
            if case .closed = phase { return true }
            phase = .over(outcome)
            return false
        }
        if isClosed { descriptor.close() }
    }
}
