import Bus
import DequeModule
import Glibc
import Loop

/// One subscription to `write(to:)`: the source fills a queue, the pump's steps write it.
///
/// No thread waits here. A source that fills the queue is told to pause, and is called back when half of it is
/// written. While the observer pauses nothing is written, so that the queue fills and the source pauses too.
final class WriteSubscription<Downstream: Observer & ~Copyable>: Sendable
where Downstream.Value == Int, Downstream.Failure == DescriptorError {
    private struct State: ResumeSlot, Sendable {
        var values: Deque<[UInt8]> = []
        /// How much of the first value is written.
        var written = 0
        /// The source is gone, with an end or without one.
        var isEnding = false
        var end: Termination<DescriptorError>?
        var pump: DescriptorPump?
        /// The closure that the source left to be called when there is capacity.
        var resume: (@Sendable () -> Void)?
    }

    let output: SerialObserver<Downstream>
    private let writer: DescriptorWriter
    private let name: String
    private let limit: Int
    private let state: Lock<State>

    init(
        _ output: SerialObserver<Downstream>,
        _ descriptor: OwnedDescriptor,
        name: String,
        limit: Int,
        on scheduler: any Scheduler
    ) throws(DescriptorError) {
        writer = try DescriptorWriter(descriptor, name: name)
        self.output = output
        self.name = name
        self.limit = max(1, limit)
        state = Lock(State())
        let pump = DescriptorPump(
            descriptor,
            for: .writable,
            on: scheduler,
            step: { pump, _ in self.step(pump) },
            failed: { output.terminate(.failed($0)) }
        )
        // It holds this, and this it, until the end.
        state.withLock { $0.pump = pump }
    }

    // MARK: The source's side

    func next(_ bytes: [UInt8]) -> Demand {
        guard !output.isClosing else { return .stop }
        let count = state.withLock { state -> Int? in
            guard state.values.count < limit else { return nil }
            state.values.append(bytes)
            return state.values.count
        }
        guard let count else {
            output.terminate(.failed(DescriptorError("write \(name)", code: ENOBUFS)))
            return output.demand
        }
        if count == 1 { wake() }
        return demand
    }

    var demand: Demand {
        if output.isClosing { return .stop }
        return state.withLock { $0.values.count < limit } ? .more : .pause
    }

    func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand {
        if output.isClosing { return .stop }
        // Nothing is written any more once the pump is gone.
        let demand = state.whenReady(resume) { $0.values.count > limit / 2 && $0.pump != nil ? .pause : .more }
        return demand == .more && output.isClosing ? .stop : demand
    }

    /// The source has ended, or, with nil, is gone without an end.
    func end(_ termination: Termination<DescriptorError>?) {
        let (isNews, resume) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.isEnding else { return (false, nil) }
            state.isEnding = true
            state.end = termination
            return (true, state.resume.take())
        }
        withExtendedLifetime(resume) {}
        if isNews { wake() }
    }

    private func wake() { state.withLock { $0.pump }?.wake() }

    // MARK: The writing side

    /// The next thing to do: a value to write, or something else.
    private enum Task {
        case write([UInt8], from: Int)
        case rest
        case end(Termination<DescriptorError>?)
    }

    private func step(_ pump: DescriptorPump) -> DescriptorPump.Step {
        let task = state.withLock { state -> Task in
            if let first = state.values.first { return .write(first, from: state.written) }
            return state.isEnding ? .end(state.end) : .rest
        }
        switch task {
        case .rest: return .rest
        case .write(let bytes, let start):
            return output.demand == .more ? write(bytes, from: start, pump) : rest(pump)
        case .end(let termination?): output.terminate(termination)
        case .end(nil):
            output.abandon()
            close()
        }
        return .over
    }

    private func write(_ bytes: [UInt8], from start: Int, _ pump: DescriptorPump) -> DescriptorPump.Step {
        guard let result = start == bytes.count ? 0 : writer.write(bytes, from: start, pump) else { return .rest }
        guard result >= 0 || result == Int(-EAGAIN) else {
            output.terminate(.failed(DescriptorError("write \(name)", code: CInt(-result))))
            return .over
        }
        let isWhole = result >= 0 && start + result == bytes.count
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            state.written = isWhole ? 0 : start + max(0, result)
            guard isWhole else { return nil }
            _ = state.values.popFirst()
            return state.values.count <= limit / 2 ? state.resume.take() : nil
        }
        resume?()
        if result < 0 { return .wait }
        guard isWhole else { return .again }
        return output.next(bytes.count) == .more ? .again : rest(pump)
    }

    /// The observer pauses, or wants no more.
    private func rest(_ pump: DescriptorPump) -> DescriptorPump.Step {
        let found = pump.rest { output.whenReady($0) }
        if found == .over { output.terminate(.completed) }
        return found
    }

    /// Closes the descriptor and releases the waiting values.
    func close() {
        let (pump, values, resume) = state.withLock { state in
            defer { state.values = [] }
            return (state.pump.take(), state.values, state.resume.take())
        }
        pump?.dispose()
        writer.close()
        withExtendedLifetime((values, resume)) {}
    }
}
