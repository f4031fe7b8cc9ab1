import Bus
import CLinux
import DequeModule
import Glibc
import Timers

/// One subscription to `write(to:)`: the source fills a queue, the pump's turns write it.
final class WriteSubscription<Downstream: Observer & ~Copyable>: Sendable
where Downstream.Value == Int, Downstream.Failure == DescriptorError {
    private struct State: Sendable {
        var values: Deque<[UInt8]> = []
        /// How much of the first is written.
        var written = 0
        /// The source is gone, with an end or without one.
        var isEnding = false
        var end: Termination<DescriptorError>?
        var kind: CInt
        var pump: DescriptorPump?
    }

    let output: SerialObserver<Downstream>
    private let descriptor: OwnedDescriptor
    private let name: String
    private let limit: Int
    private let scheduler: any Scheduler
    private let state: Lock<State>
    private let room = WaitingRoom()

    init(
        _ output: SerialObserver<Downstream>,
        _ descriptor: OwnedDescriptor,
        name: String,
        limit: Int,
        on scheduler: any Scheduler
    ) throws(DescriptorError) {
        let kind = clinux_descriptor_kind(descriptor.number)
        guard kind >= 0 else { throw DescriptorError("write \(name)", code: -kind) }
        self.output = output
        self.descriptor = descriptor
        self.name = name
        self.limit = max(1, limit)
        self.scheduler = scheduler
        state = Lock(State(kind: kind))
        let pump = DescriptorPump(
            descriptor,
            for: .writable,
            on: scheduler,
            turn: { _ in self.turn() },
            failed: { output.terminate(.failed($0)) }
        )
        // It holds this, and this it, until the end.
        state.withLock { $0.pump = pump }
    }

    // MARK: The source's side

    func next(_ bytes: [UInt8]) -> Demand {
        var isFirst = false
        let admission = room.admit(
            mayWait: { !scheduler.isCurrent },
            isClosed: { output.isClosing },
            attempt: {
                let count = state.withLock { state -> Int? in
                    guard state.values.count < limit else { return nil }
                    state.values.append(bytes)
                    return state.values.count
                }
                isFirst = count == 1
                return count != nil
            }
        )
        switch admission {
        case .admitted: if isFirst { wake() }
        case .closed: return .stop
        case .refused: output.terminate(.failed(DescriptorError("write \(name)", code: ENOBUFS)))
        }
        return output.demand
    }

    /// The source has ended, or, with nil, is gone without an end.
    func end(_ termination: Termination<DescriptorError>?) {
        let isNews = state.withLock { state -> Bool in
            guard !state.isEnding else { return false }
            state.isEnding = true
            state.end = termination
            return true
        }
        if isNews { wake() }
    }

    private func wake() { state.withLock { $0.pump }?.wake() }

    // MARK: The writing side

    /// What is to be written, or what else there is to do.
    private enum Task {
        case write([UInt8], from: Int, kind: CInt)
        case rest
        case end(Termination<DescriptorError>?)
    }

    private func turn() -> DescriptorPump.Turn {
        let task = state.withLock { state -> Task in
            if let first = state.values.first { return .write(first, from: state.written, kind: state.kind) }
            return state.isEnding ? .end(state.end) : .rest
        }
        switch task {
        case .rest: return .rest
        case .write(let bytes, let start, let kind): return write(bytes, from: start, kind)
        case .end(let termination?): output.terminate(termination)
        case .end(nil):
            output.abandon()
            close()
        }
        return .over
    }

    private func write(_ bytes: [UInt8], from start: Int, _ kind: CInt) -> DescriptorPump.Turn {
        var kind = kind
        let result = bytes.withUnsafeBytes { bytes -> Int in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return rest.isEmpty ? 0 : clinux_write_now(descriptor.number, &kind, rest.baseAddress, rest.count)
        }
        guard result >= 0 || result == Int(-EAGAIN) else {
            output.terminate(.failed(DescriptorError("write \(name)", code: CInt(-result))))
            return .over
        }
        let isWhole = result >= 0 && start + result == bytes.count
        state.withLock { [kind] state in
            state.kind = kind
            state.written = isWhole ? 0 : start + max(0, result)
            if isWhole { _ = state.values.popFirst() }
        }
        if result < 0 { return .wait }
        guard isWhole else { return .again }
        room.wake()
        if output.next(bytes.count) == .stop {
            output.terminate(.completed)
            return .over
        }
        return .again
    }

    /// Closes the descriptor and lets go of what waits.
    func close() {
        let (pump, values) = state.withLock { state -> (DescriptorPump?, Deque<[UInt8]>) in
            defer { state.values = [] }
            return (state.pump.take(), state.values)
        }
        room.wake()
        pump?.dispose()
        _ = values
    }
}
