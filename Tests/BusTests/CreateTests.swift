import Bus
import BusTesting
import Testing

@Suite("Sources")
struct CreateTests {
    @Test func simpleSources() {
        #expect(Recorder(Signals.just(7)).events == [.next(7), .completed])
        #expect(Recorder(Signals.empty(Int.self)).events == [.completed])
        #expect(Recorder(Signals.never(Int.self)).events == [])
        #expect(Recorder(Signals.fail(TestFailure("no"), of: Int.self)).events == [.failed("no")])
        #expect(Recorder(Signals.from([1, 2])).events == [.next(1), .next(2), .completed])
    }

    @Test func aLossAfterTheEndIsNotHeardWhileTheBodyStillRuns() {
        let recorder = Recorder(
            Signals.create(of: Int.self) { emitter in
                emitter.send(1)
                emitter.complete()
                emitter.sendLoss(of: 3)
                return nil
            }
        )
        #expect(recorder.events == [.next(1), .completed])
        #expect(recorder.lost == 0)
    }

    @Test func theBodyRunsOncePerSubscription() {
        let runs = Log<Int>()
        let signal = Signals.create(of: Int.self) { emitter in
            runs.append(runs.entries.count)
            emitter.send(runs.entries.count)
            emitter.complete()
            return nil
        }
        #expect(Recorder(signal).values == [1])
        #expect(Recorder(signal).values == [2])
    }

    @Test func anEndSentWhileTheBodyRunsIsHeardAfterTheReleaseAndNothingSentAfterIt() {
        let log = Log<String>()
        let signal = Signals.create(of: Int.self) { emitter in
            emitter.send(1)
            emitter.complete()
            #expect(emitter.send(2) == .stop && emitter.demand == .stop)
            log.append("body done")
            return ActionDisposable { log.append("released") }
        }
        _ = signal.subscribe(next: { log.append("next \($0)") }, completed: { log.append("completed") })
        #expect(log.entries == ["next 1", "body done", "released", "completed"])
    }

    @Test func aStopIsConfirmedAfterTheRelease() {
        let log = Log<String>()
        let emitters = Log<Emitter<Int, Never>>()
        let signal = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            return ActionDisposable { log.append("released") }
        }
        _ = signal.take(first: 1).subscribe(next: { log.append("next \($0)") }, completed: { log.append("completed") })
        #expect(emitters.entries[0].send(1) == .stop)
        #expect(emitters.entries[0].demand == .stop)
        #expect(log.entries == ["next 1", "released", "completed"])
    }

    @Test func aStopOfAValueThatWaitedIsConfirmedAfterTheRelease() {
        let emitters = Log<Emitter<Int, Never>>()
        let log = Log<String>()
        let source = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            emitter.send(1)
            return ActionDisposable { log.append("released") }
        }
        let handle = source.take(first: 2).subscribe(
            next: { value in
                log.append("\(value)")
                if value == 1 { emitters.entries[0].send(2) }
            },
            completed: { log.append("completed") }
        )
        #expect(log.entries == ["1", "2", "released", "completed"])
        #expect(handle.isDisposed)
    }

    @Test func disposalReleasesOnceAndSilencesTheEmitter() {
        let log = Log<String>()
        let emitters = Log<Emitter<Int, Never>>()
        let signal = Signals.create(of: Int.self) { emitter in
            emitters.append(emitter)
            return ActionDisposable { log.append("released") }
        }
        let handle = signal.subscribe(next: { log.append("next \($0)") }, completed: { log.append("completed") })
        handle.dispose()
        handle.dispose()
        emitters.entries[0].send(1)
        emitters.entries[0].complete()
        #expect(log.entries == ["released"])
    }

    @Test func whatIsHeldIsReleasedEvenWhenNobodyKeptTheEmitter() {
        let log = Log<String>()
        let handle = Signals.create(of: Int.self) { _ in ActionDisposable { log.append("released") } }
            .merge(Signals.never(Int.self))
            .subscribe()
        #expect(log.entries == [])
        handle.dispose()
        #expect(log.entries == ["released"])
    }

    @Test func manyThreadsMayEmit() {
        let group = Threads()
        let signal = Signals.create(of: Int.self) { emitter in
            for sender in 0..<4 {
                group.start {
                    for value in 0..<1_000 where emitter.send(sender * 10_000 + value) == .pause {
                        let ready = Latch()
                        if emitter.whenReady({ ready.open() }) == .pause { ready.wait() }
                    }
                }
            }
            return nil
        }
        let recorder = Recorder(signal)
        group.wait()
        #expect(recorder.violations == [])
        #expect(recorder.values.count == 4_000)
        #expect(recorder.lost == 0)
        for sender in 0..<4 {
            let own = recorder.values.filter { $0 / 10_000 == sender }
            #expect(own == own.sorted())
        }
    }

    @Test func whatManyThreadsEmitWithoutHeedIsHeardOrCounted() {
        let group = Threads()
        let signal = Signals.create(of: Int.self, limit: 2) { emitter in
            for sender in 0..<4 {
                group.start { for value in 0..<1_000 { emitter.send(sender * 10_000 + value) } }
            }
            return nil
        }
        let recorder = Recorder(signal)
        group.wait()
        #expect(recorder.violations == [])
        #expect(recorder.values.count + recorder.lost == 4_000)
        for sender in 0..<4 {
            let own = recorder.values.filter { $0 / 10_000 == sender }
            #expect(own == own.sorted())
        }
    }
}
