import Bus

/// One message on its way to a stream: it waits for a slot, then for the acknowledgement.
final class NATSReservation: Disposable {
    private enum Phase: Sendable {
        case starting
        case waiting(UInt64)
        case sent(any Disposable)
        case over
    }

    private let slots: NATSSlots
    private let phase = Lock(Phase.starting)

    init(_ slots: NATSSlots) {
        self.slots = slots
    }

    var isDisposed: Bool {
        phase.withLock { phase in
            if case .over = phase { true } else { false }
        }
    }

    /// Sends with `send` once there is a slot. The slot is given back with the answer, or when this is disposed of.
    func start(
        _ answer: @escaping NATSCommand.Answer,
        send: @escaping @Sendable (@escaping NATSCommand.Answer) -> any Disposable
    ) {
        let number = slots.reserve { [self] in
            // Its slot was given back when it ended.
            if isDisposed { return }
            let request = send { result in
                if self.end() { answer(result) }
            }
            let isOver = phase.withLock { phase -> Bool in
                if case .over = phase { return true }
                phase = .sent(request)
                return false
            }
            // Answered at once, or nobody waits any more.
            if isOver { request.dispose() }
        }
        phase.withLock { phase in
            if case .starting = phase { phase = .waiting(number) }
        }
    }

    func dispose() { end() }

    /// Whether this is the first end.
    @discardableResult
    private func end() -> Bool {
        let ended = phase.withLock { phase -> Phase in
            defer { phase = .over }
            return phase
        }
        switch ended {
        case .over: return false
        // Nobody can dispose of it yet, so it was answered, and has a slot.
        case .starting: slots.release()
        case .waiting(let number): if !slots.withdraw(number) { slots.release() }
        case .sent(let request):
            request.dispose()
            slots.release()
        }
        return true
    }
}
