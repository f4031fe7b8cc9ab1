import Bus

/// The memory that entries may take from being read to being stored. Their number is bounded by queues; this bounds their bytes.
final class ForwardRoom: Sendable {
    private struct State: Sendable {
        var taken = 0
        var resume: (@Sendable () -> Void)?
    }

    private let size: Int
    private let state = Lock(State())

    /// - Parameter size: in bytes. An entry of any size has room while less than this is taken.
    init(_ size: Int) {
        self.size = size
    }

    var isFull: Bool { state.withLock { $0.taken >= size } }

    func take(_ bytes: Int) { state.withLock { $0.taken += bytes } }

    func giveBack(_ bytes: Int) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            state.taken -= bytes
            return state.taken < size ? state.resume.take() : nil
        }
        resume?()
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let (demand, replaced) = state.withLock { state -> (Demand, (@Sendable () -> Void)?) in
            guard state.taken >= size else { return (.more, nil) }
            defer { state.resume = resume }
            return (.pause, state.resume)
        }
        // Released here, not under the lock: its deinitialiser may run any code.
        withExtendedLifetime(replaced) {}
        return demand
    }

    /// Drops what was left to be called.
    func close() {
        let resume = state.withLock { $0.resume.take() }
        withExtendedLifetime(resume) {}
    }
}

extension ForwardItem {
    /// What it takes of a `ForwardRoom`.
    var size: Int {
        switch self {
        case .entry(_, let json): json.count
        case .place, .report: 0
        }
    }
}

/// The same items, while there is room for them. Whoever is done with an item gives its room back.
struct ForwardRoomed<Upstream: Signal>: Signal where Upstream.Value == ForwardItem {
    typealias Value = ForwardItem
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let room: ForwardRoom

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(ForwardRoomedObserver(downstream: observer, room: room))
    }

    var chain: Chain { upstream.chain.appending("forwardRoom") }
}

struct ForwardRoomedObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable
where Downstream.Value == ForwardItem {
    typealias Value = ForwardItem
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let room: ForwardRoom

    mutating func next(_ item: ForwardItem) -> Demand {
        room.take(item.size)
        return answer(downstream.next(item))
    }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) {
        room.close()
        downstream.terminate(termination)
    }

    var demand: Demand { answer(downstream.demand) }

    private func answer(_ demand: Demand) -> Demand { demand == .more && room.isFull ? .pause : demand }

    /// The sender that is called back for one of the two asks again for the other.
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let demand = downstream.whenReady(resume)
        return demand == .more ? room.whenReady(resume) : demand
    }
}
