import Bus
import BusTesting
import Dispatch
import Glibc
import TestSupport
import Timers

/// How many values the source has sent and the consumer has not yet taken.
final class Flow: Sendable {
    private let state = Lock((sent: 0, taken: 0, most: 0))
    /// The capacity of the first queue. Consumers that can wait do so until it is full.
    private let full: Int

    init(full: Int) { self.full = full }

    /// Blocks the calling thread until that many values are on their way.
    func waitUntilFull() {
        while most < full, !RunLimit.isOver { sched_yield() }
    }

    var most: Int { state.withLock { $0.most } }
    var taken: Int { state.withLock { $0.taken } }

    func send() {
        state.withLock { state in
            state.sent += 1
            state.most = max(state.most, state.sent - state.taken)
        }
    }

    func take() { state.withLock { $0.taken += 1 } }
}

/// What a subscriber to the numbers from 0 on heard.
struct Hearing: Sendable, Equatable {
    /// The number of values heard.
    var count = 0
    var isInOrder = true
    var lost = 0

    mutating func hear(_ number: Int) {
        if number != count { isInOrder = false }
        count += 1
    }
}

/// Where the consumer runs. Each is slower than any source: it takes a value only after the chain above has had time to
/// fill.
enum SlowConsumer: String, CaseIterable, Sendable {
    case here, thread, timers, main, task, actor

    /// How many values the hop to the consumer may hold.
    static let limit = 16

    /// How many values this consumer's own queues hold.
    var bound: Int {
        switch self {
        case .here: 1
        case .thread, .timers, .main, .task, .actor: 2 * Self.limit + 1
        }
    }

    func consume(_ signal: AnySignal<Int, Never>, _ flow: Flow) async -> Hearing {
        switch self {
        case .here: await gated(signal, flow)
        case .thread: await gated(signal.deliver(on: ThreadScheduler(name: "consumer"), limit: Self.limit), flow)
        case .timers: await gated(signal.deliver(on: TimerScheduler.shared, limit: Self.limit), flow)
        case .main: await gated(signal.deliver(on: DispatchQueue.main, limit: Self.limit), flow)
        case .task: await walked(signal, flow)
        case .actor: await isolated(signal, flow)
        }
    }

    /// Whether it waits with its first value until the first queue is full.
    var waits: Bool { self != .actor }

    /// Makes room for a few values at a time, and only after the source has been told to pause.
    private func gated(_ signal: some Signal<Int, Never>, _ flow: Flow) async -> Hearing {
        let hearing = Lock(Hearing())
        let recorder = PausingRecorder(
            signal.on(next: { number in hearing.withLock { $0.hear(number) } }).map { _ in () },
            after: 0,
            onNext: { _ in flow.take() }
        )
        await offThePool {
            flow.waitUntilFull()
            var room = 1
            while !recorder.hasEnded, !RunLimit.isOver {
                if recorder.isAwaited {
                    recorder.release(room)
                    room = room % 37 + 1
                } else {
                    sched_yield()
                }
            }
        }
        hearing.withLock { $0.lost = recorder.lost + recorder.overrun + recorder.violations.count }
        return hearing.withLock { $0 }
    }

    /// Pauses now and then, so that everything above fills.
    private func walked(_ signal: AnySignal<Int, Never>, _ flow: Flow) async -> Hearing {
        var hearing = Hearing()
        let lost = Lock(0)
        do {
            for try await number in signal.values(limit: Self.limit, lost: { count in lost.withLock { $0 += count } }) {
                if hearing.count == 0 { await offThePool { flow.waitUntilFull() } }
                flow.take()
                hearing.hear(number)
                if hearing.count % 512 == 1 { try? await Task.sleep(for: .milliseconds(1)) }
            }
        } catch {
            hearing.isInOrder = false
        }
        hearing.lost = lost.withLock { $0 }
        return hearing
    }

    private func isolated(_ signal: AnySignal<Int, Never>, _ flow: Flow) async -> Hearing {
        await withCheckedContinuation { continuation in
            let consumer = Consumer()
            _ = signal.subscribe(
                isolatedTo: consumer,
                limit: Self.limit,
                next: { consumer, number in
                    flow.take()
                    consumer.hearing.hear(number)
                    if consumer.hearing.count % 512 == 1 { usleep(1_000) }
                },
                completed: { consumer in continuation.resume(returning: consumer.hearing) },
                lost: { consumer, count in consumer.hearing.lost += count }
            )
        }
    }

    private actor Consumer {
        var hearing = Hearing()
    }
}
