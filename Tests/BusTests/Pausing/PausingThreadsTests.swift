import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

/// Threads that send, hear, release and dispose at once, as often as they can. A lost call would leave a chain that
/// stands still although there is room.
@Suite("Pausing, with threads")
struct PausingThreadsTests {
    /// The threads on which a chain's sources run.
    struct Stage: Sendable {
        let count: Int
        let a = ThreadScheduler(name: "source")
        let b = ThreadScheduler(name: "other")

        /// The numbers from 0 on, combined with the number of their source; see `Array.from(_:)`.
        func numbers(_ source: Int, on thread: ThreadScheduler? = nil) -> AnySignal<Int, Never> {
            Signals.from(0..<count, on: thread ?? (source % 2 == 0 ? a : b), burst: 16).map { source * 10_000 + $0 }
                .eraseToAnySignal()
        }

        /// Returns when both threads have finished their work and the work that it created.
        func settle() {
            a.settle()
            b.settle()
        }
    }

    /// A chain whose sources run on two threads.
    struct Chain: Sendable, CustomTestStringConvertible {
        let name: String
        /// How many of the sources are heard completely, each in its order.
        let sources: Int
        let build: @Sendable (Stage) -> AnySignal<Int, Never>

        var testDescription: String { name }

        init(_ name: String, sources: Int = 1, _ build: @escaping @Sendable (Stage) -> some Signal<Int, Never>) {
            self.name = name
            self.sources = sources
            self.build = { build($0).eraseToAnySignal() }
        }

        static let all = [
            Chain("sequence") { $0.numbers(0) },
            Chain("deliver(on:)") { $0.numbers(0).deliver(on: $0.b, limit: 3) },
            Chain("deliver(on:) twice") { $0.numbers(0).deliver(on: $0.b, limit: 3).deliver(on: $0.a, limit: 2) },
            Chain("merge", sources: 2) { $0.numbers(0).merge($0.numbers(1)) },
            Chain("merge of four", sources: 4) { stage in Signals.merge((0..<4).map { stage.numbers($0) }) },
            Chain("merge, deliver(on:)", sources: 2) { $0.numbers(0).merge($0.numbers(1)).deliver(on: $0.a, limit: 3) },
            Chain("zip") { $0.numbers(0).zip($0.numbers(1), limit: 3).map { $0.0 == $0.1 - 10_000 ? $0.0 : -1 } },
            Chain("zip of a list") {
                Signals.zip([$0.numbers(0), $0.numbers(1)], limit: 3).map { $0[0] == $0[1] - 10_000 ? $0[0] : -1 }
            },
            Chain("zip of a pack") {
                Signals.zip($0.numbers(0), $0.numbers(1), limit: 3).map { $0.0 == $0.1 - 10_000 ? $0.0 : -1 }
            },
            Chain("flatMap", sources: 4) { stage in
                Signals.from(0..<4, on: stage.a, burst: 1).flatMap { stage.numbers($0) }
            },
            Chain("flatMap(.merge(maxConcurrent: 2))", sources: 4) { stage in
                Signals.from(0..<4, on: stage.a, burst: 1).flatMap(.merge(maxConcurrent: 2), limit: 1) {
                    stage.numbers($0)
                }
            },
            Chain("flatMap(.concat)", sources: 4) { stage in
                Signals.from(0..<4, on: stage.a, burst: 1).flatMap(.concat, limit: 1) { stage.numbers($0) }
            },
            Chain("flatMap(.concat) of many") { stage in
                stage.numbers(0).flatMap(.concat, limit: 2) { Signals.from([$0], on: stage.b) }
            },
            Chain("concat", sources: 2) { $0.numbers(0).concat($0.numbers(1)) },
            Chain("groupBy") { $0.numbers(0).groupBy { _ in 0 }.flatMap { $0.map { $0 } }.deliver(on: $0.b, limit: 3) },
            Chain("share") { $0.numbers(0).share().deliver(on: $0.b, limit: 3) },
            Chain("publish, heard twice", sources: 2) { stage in
                Signals.deferred {
                    let shared = stage.numbers(0).publish()
                    // The source is connected once both have subscribed.
                    let connecting = Signals.deferred {
                        _ = shared.connect()
                        return Signals.empty(Int.self)
                    }
                    return Signals.merge(shared.deliver(on: stage.b, limit: 3), shared.map { 10_000 + $0 }, connecting)
                }
            },
            Chain("combineLatest", sources: 0) { $0.numbers(0).combineLatest($0.numbers(1)).map { $0.0 + $0.1 } },
            Chain("switchToLatest", sources: 0) { stage in
                Signals.from(0..<8, on: stage.a, burst: 1).flatMapLatest { stage.numbers($0, on: stage.b) }
            },
            Chain("create") {
                $0.numbers(0).zip(Signals.politely(0..<$0.count).subscribe(on: $0.b), limit: 2).map { $0.0 }
            },
            Chain("repeat", sources: 0) { $0.numbers(0).repeat(3).deliver(on: $0.b, limit: 2) },
        ]
    }

    @Test("nothing is lost, and nothing stands still", arguments: Chain.all)
    func complete(chain: Chain) {
        let count = Stress.rounds(300, stress: 3_000)
        for round in 1...Stress.rounds(3, stress: 6) {
            let stage = Stage(count: count)
            let recorder = PausingRecorder(chain.build(stage), after: round)
            let threads = Threads()
            threads.start {
                var generator = SeededGenerator(UInt64(round))
                // The number of rounds is limited, because a chain that misses a call stands still with any amount of
                // room.
                for _ in 0..<(count * 4) {
                    if recorder.hasEnded { break }
                    recorder.release(Int.random(in: 1...(2 * round), using: &generator))
                    if Bool.random(using: &generator) { sched_yield() }
                }
                recorder.release()
            }
            threads.wait()
            // With unlimited room, it ends once the threads have finished their work.
            for _ in 0..<100_000 where !recorder.hasEnded && !RunLimit.isOver { stage.settle() }
            // Each is a separate value, because the description of a failed expectation would access a chain that still
            // runs.
            let (hasEnded, lost, overrun, violations) = (
                recorder.hasEnded, recorder.lost, recorder.overrun, recorder.violations
            )
            #expect(hasEnded)
            #expect(lost == 0)
            #expect(overrun == 0)
            #expect(violations == [])
            let values = recorder.values
            for source in 0..<chain.sources {
                let arrivedAll = areAscending(values.from(source), count)
                #expect(arrivedAll)
            }
        }
    }

    @Test("disposed of at any moment, it is freed", arguments: Chain.all)
    func disposed(chain: Chain) {
        for round in 0..<Stress.rounds(10, stress: 100) {
            let stage = Stage(count: 1_000)
            weak var canary: Canary?
            let recorder: PausingRecorder<Int, Never>
            do {
                let singer = Canary()
                canary = singer
                let signal = chain.build(stage).map { value in
                    singer.sing()
                    return value
                }
                recorder = PausingRecorder(signal, after: 1)
            }
            let threads = Threads()
            threads.start {
                for _ in 0..<200 {
                    recorder.release(1)
                    if round % 3 == 0 { sched_yield() }
                }
            }
            threads.start {
                for _ in 0..<(round * 7 % 50) { sched_yield() }
                recorder.dispose()
            }
            threads.wait()
            for _ in 0..<100_000 where canary != nil && !RunLimit.isOver { stage.settle() }
            let (isFreed, tardy, violations) = (canary == nil, recorder.eventsAfterDisposal, recorder.violations)
            #expect(isFreed)
            #expect(tardy <= 1)
            #expect(violations == [])
        }
    }

    @Test("two threads that ignore a pause and send into a queue: everything is heard or counted")
    func heedless() {
        let count = Stress.rounds(20_000, stress: 500_000)
        let emitters = Log<Emitter<Int, Never>>()
        let signal = Signals.create(of: Int.self, limit: 8) { emitter in
            emitters.append(emitter)
            return nil
        }
        let recorder = PausingRecorder(signal, after: 3)
        let emitter = emitters.entries[0]
        let threads = Threads()
        let left = Lock(2)
        for _ in 0..<2 {
            threads.start {
                for value in 0..<count { emitter.send(value) }
                let isLast = left.withLock { left -> Bool in
                    left -= 1
                    return left == 0
                }
                if isLast { emitter.complete() }
            }
        }
        threads.start {
            while left.withLock({ $0 }) > 0 { recorder.release(5) }
            recorder.release()
        }
        threads.wait()
        #expect(recorder.hasEnded)
        #expect(recorder.valueCount + recorder.lost == 2 * count)
        #expect(recorder.overrun == 0)
        #expect(recorder.violations == [])
    }
}
