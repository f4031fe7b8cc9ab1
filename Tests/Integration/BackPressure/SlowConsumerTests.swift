import Bridges
import Bus
import BusTesting
import Foundation
import SystemPackage
import TestSupport
import Testing
import Timers

@Suite("A chain from a source that can pause into a much slower consumer")
struct SlowConsumerTests {
    private static let limit = 32

    /// Every operator whose queue passes on all values.
    private static func chain(_ source: AnySignal<Int, Never>, _ flow: Flow, on worker: ThreadScheduler) -> AnySignal<
        Int, Never
    > {
        source.on(next: { _ in flow.send() })
            .deliver(on: worker, limit: limit)
            .merge(Signals.empty(Int.self))
            .flatMap(.concat, limit: limit) { Signals.just($0) }
            .zip(Signals.from(0...), limit: limit)
            .map { number, place in number == place ? number : -1 }
            .share()
            .eraseToAnySignal()
    }

    /// The sum of the operators' bounds: `deliver(on:)` holds twice its limit, `merge` 1,024 values, `flatMap` its
    /// limit and 1,024 values, and `zip` its limit. Each hop between two operators holds one value that is being passed
    /// on.
    private static let bound = 2 * limit + 1_024 + (limit + 1_024) + limit + 6

    static let sources = PausableSource.all.filter { $0.name != "a journal" || SyntheticJournal.isAvailable }

    private func expectAll(_ source: PausableSource, _ consumer: SlowConsumer, _ count: Int) async throws {
        let (flow, worker) = (Flow(full: min(Self.limit, count)), ThreadScheduler(name: "worker"))
        let hearing = await consumer.consume(Self.chain(try source.build(count), flow, on: worker), flow)
        #expect(hearing == Hearing(count: count, isInOrder: true, lost: 0))
        #expect(flow.most <= Self.bound + consumer.bound)
        // The queue between the source and the first hop alone has been full.
        if consumer.waits { #expect(flow.most >= min(Self.limit, count)) }
    }

    @Test("nothing is lost, and no more is held than documented", arguments: sources, SlowConsumer.allCases)
    func few(source: PausableSource, consumer: SlowConsumer) async throws {
        try await expectAll(source, consumer, Stress.rounds(2_000, stress: 10_000))
    }

    @Test(
        "nothing is lost of a million values",
        .enabled(if: Stress.isLong, "takes many minutes"),
        arguments: zip(sources, (0..<sources.count).map { SlowConsumer.allCases[$0 % SlowConsumer.allCases.count] })
    )
    func million(source: PausableSource, consumer: SlowConsumer) async throws {
        try await expectAll(source, consumer, 1_000_000)
    }

    /// A clock cannot wait, so it skips ticks. The subscriber hears every tick or counts it as missed.
    @Test("ticks are heard or counted as missed")
    func clocks() {
        let time = TestScheduler()
        let (number, missed) = (Lock(0), Lock(0))
        let recorder = PausingRecorder(
            Signals.interval(every: .milliseconds(1), on: time).on(next: { tick in
                number.withLock { $0 = tick.index }
                missed.withLock { $0 += tick.missed }
            }),
            after: 0
        )
        for _ in 0..<Stress.rounds(100, stress: 250) {
            time.advance(by: .seconds(1))
            recorder.release(1)
        }
        #expect(recorder.overrun == 0)
        #expect(recorder.lost == 0)
        #expect(recorder.valueCount + missed.withLock { $0 } == number.withLock { $0 } + 1)
        #expect(missed.withLock { $0 } > 900 * recorder.valueCount)
        recorder.dispose()
        #expect(time.pendingCount == 0)
    }

    @Test("after its end or disposal no subscription, thread, descriptor or memory is left")
    func residue() async {
        await #expect(processExitsWith: .success) {
            // The thread for children that are slow to end stays, and not every run needs it before the first count.
            Signals.run(ChildProcess("sleep", ["100"])).subscribe(next: { _ in }, failed: { _ in }).dispose()
            await Residue.exitIfLeft(
                Stress.rounds(20, stress: 200),
                settle: { precondition(isTrueSoon { Subscriptions.count == 0 }) },
                {
                    for source in PausableSource.ofProgram + PausableSource.ofSystem.prefix(2) {
                        let worker = ThreadScheduler(name: "worker")
                        guard let numbers = try? source.build(200) else { continue }
                        let chain = SlowConsumerTests.chain(numbers, Flow(full: 0), on: worker)
                        switch Int.random(in: 0..<3) {
                        case 0:
                            let ended = Latch()
                            let handle = chain.subscribe(completed: { ended.open() })
                            ended.wait()
                            handle.dispose()
                        case 1:
                            let recorder = PausingRecorder(chain, after: 3)
                            precondition(isTrueSoon { recorder.isAwaited && recorder.valueCount == 3 })
                            recorder.dispose()
                        default: chain.subscribe().dispose()
                        }
                    }
                }
            )
        }
    }

    @Test("when paused, ended or disposed of, it uses no processor time", .enabled(if: Stress.isAsked, "measures time"))
    func idle() async {
        await #expect(processExitsWith: .success) {
            let busy = await offThePool { () -> Bool in
                let control = processorTime(of: 1_000_000)
                var paused: [PausingRecorder<Int, Never>] = []
                for source in PausableSource.ofProgram + PausableSource.ofSystem.prefix(2) {
                    let worker = ThreadScheduler(name: "worker")
                    guard let numbers = try? source.build(100_000) else { continue }
                    let recorder = PausingRecorder(
                        SlowConsumerTests.chain(numbers, Flow(full: 0), on: worker),
                        after: 3
                    )
                    precondition(isTrueSoon { recorder.isAwaited && recorder.valueCount == 3 })
                    paused.append(recorder)
                }
                usleep(200_000)
                let whilePaused = processorTime(of: 1_000_000)
                for (number, recorder) in paused.enumerated() {
                    if number % 2 == 0 { recorder.release() } else { recorder.dispose() }
                }
                for (number, recorder) in paused.enumerated() where number % 2 == 0 { recorder.waitForEnd() }
                usleep(200_000)
                let afterwards = processorTime(of: 1_000_000)
                print("processor time a second: \(control) ns, paused \(whilePaused), afterwards \(afterwards)")
                // A busy thread would take a thousand times as much.
                return max(whilePaused, afterwards) > control + 5_000_000
            }
            fflush(nil)
            _exit(busy ? 1 : 0)
        }
    }
}

/// Nanoseconds of processor time that this process uses within the given number of microseconds.
private func processorTime(of wait: UInt32) -> Int {
    func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let start = now()
    usleep(wait)
    return now() - start
}

private func isTrueSoon(_ condition: () -> Bool) -> Bool {
    while !condition() {
        if RunLimit.isOver { return false }
        usleep(1_000)
    }
    return true
}
