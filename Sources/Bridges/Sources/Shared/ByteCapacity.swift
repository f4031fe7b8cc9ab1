package import Bus
package import Records

/// Something that takes memory while it waits.
package protocol Sized: Sendable {
    /// About how many bytes.
    var size: Int { get }
}

/// The memory that things may take from being read to being done with. Their number is bounded by queues; this bounds their bytes.
package final class ByteCapacity: Sendable {
    private struct State: ResumeSlot, Sendable {
        var taken = 0
        var resume: (@Sendable () -> Void)?
    }

    private let size: Int
    private let state = Lock(State())

    /// - Parameter size: in bytes. A thing of any size may be taken while less than this is.
    package init(_ size: Int) {
        self.size = size
    }

    package var isFull: Bool { state.withLock { $0.taken >= size } }

    package func take(_ bytes: Int) { state.withLock { $0.taken += bytes } }

    package func giveBack(_ bytes: Int) {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            state.taken -= bytes
            return state.taken < size ? state.resume.take() : nil
        }
        resume?()
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        state.whenReady(resume) { $0.taken >= size ? .pause : .more }
    }

    /// Drops what was left to be called.
    func close() { state.dropResume() }
}

extension RecordBlock: Sized {
    package var size: Int { records.reduce(0) { $0 + $1.size } }
}

extension Record: Sized {
    package var size: Int { content.footprint }
}

extension Signal where Value: Sized {
    /// The same values, while there is capacity for them. The consumer gives the capacity of each value back.
    package func taking(_ capacity: ByteCapacity) -> some Signal<Value, Failure> {
        CapacitySignal(upstream: self, capacity: capacity)
    }

    /// ``Signal/deliver(on:limit:overflow:)`` with a queue that is bounded in bytes, too.
    package func deliver(on scheduler: some Scheduler, limit: Int, byteLimit: Int) -> some Signal<Value, Failure> {
        let capacity = ByteCapacity(byteLimit)
        return taking(capacity).deliver(on: scheduler, limit: limit).on(next: { capacity.giveBack($0.size) })
    }
}

struct CapacitySignal<Upstream: Signal>: Signal where Upstream.Value: Sized {
    typealias Value = Upstream.Value
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let capacity: ByteCapacity

    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        upstream.subscribe(CapacityObserver(downstream: observer, capacity: capacity))
    }

    static var chain: Chain { Upstream.chain.appending("taking(capacity)") }
    var chain: Chain { upstream.chain.appending("taking(capacity)") }
}

struct CapacityObserver<Downstream: Observer & ~Copyable>: Observer, ~Copyable where Downstream.Value: Sized {
    typealias Value = Downstream.Value
    typealias Failure = Downstream.Failure
    var downstream: Downstream
    let capacity: ByteCapacity

    mutating func next(_ value: Value) -> Demand {
        capacity.take(value.size)
        return answer(downstream.next(value))
    }

    mutating func lost(_ count: Int) { downstream.lost(count) }

    consuming func terminate(_ termination: Termination<Failure>) {
        capacity.close()
        downstream.terminate(termination)
    }

    var demand: Demand { answer(downstream.demand) }

    private func answer(_ demand: Demand) -> Demand { demand == .more && capacity.isFull ? .pause : demand }

    /// The sender that is called back for one of the two asks again for the other.
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        let demand = downstream.whenReady(resume)
        return demand == .more ? capacity.whenReady(resume) : demand
    }
}
