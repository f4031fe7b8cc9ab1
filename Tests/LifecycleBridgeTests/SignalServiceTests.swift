#if ServiceLifecycle
    import Bus
    import BusTesting
    import LifecycleBridge
    import Logging
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import TestSupport
    import Testing
    import Timers

    @Suite("Signals as services")
    struct SignalServiceTests {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let handled = Heard<Int>()
        let undrained = Heard<UndrainedService>()

        /// Waits until something has been heard. The task that hears it runs elsewhere.
        private func until(_ condition: () -> Bool) async throws {
            while !condition() {
                try #require(!RunLimit.isOver)
                try await SystemClock.monotonic.sleep(for: .milliseconds(1))
            }
        }

        @Test("The readiness of a service is a signal that keeps the contract")
        func contract() {
            let check = ContractCheck("start") { sources in
                sources[0].flatMap(.concat) { number in
                    let start = ServiceStart()
                    start.markReady()
                    return start.ready.map { number }.promoteFailure(to: TestFailure.self)
                }
            }
            #expect(check.violations() == [])
        }

        @Test("Told to end, it leaves its source, handles what it has taken, and ends")
        func drains() async throws {
            let gate = ServiceStart()
            let service = source.service(named: "pump", drainingWithin: .seconds(100_000), undrained: undrained.append)
            {
                _ = try await gate.ready.firstValue()
                handled.append($0)
            }
            try await testGracefulShutdown { trigger in
                async let run: Void = service.run()
                _ = try await service.start.ready.firstValue()
                for value in 1...5 { source.send(value) }
                trigger.triggerGracefulShutdown()
                // The task that tells it may still be running.
                try await until { source.liveSubscriptions == 0 }
                #expect(handled.values == [])
                gate.markReady()
                try await run
            }
            #expect(handled.values == [1, 2, 3, 4, 5])
            #expect(undrained.values == [])
        }

        @Test("Values not drained in time are reported, even if the handler ignores its cancellation")
        func deadline() async throws {
            let gate = ServiceStart()
            let service = source.service(named: "pump", drainingWithin: .milliseconds(20), undrained: undrained.append)
            {
                if $0 == 2 { await Task { _ = try? await gate.ready.firstValue() }.value }
                handled.append($0)
            }
            try await testGracefulShutdown { trigger in
                async let run: Void = service.run()
                _ = try await service.start.ready.firstValue()
                for value in 1...5 { source.send(value) }
                try await until { handled.values == [1] }
                trigger.triggerGracefulShutdown()
                try await run
            }
            #expect(
                undrained.values == [UndrainedService(service: "pump", values: 4, reason: .deadline(.milliseconds(20)))]
            )
            gate.markReady()
        }

        @Test("When cancelled, it ends at once and reports")
        func cancelled() async throws {
            let service = source.service(named: "pump", drainingWithin: .seconds(100_000), undrained: undrained.append)
            { _ in
                try await SystemClock.monotonic.sleep(for: .seconds(1000))
            }
            let task = Task { try await service.run() }
            _ = try await service.start.ready.firstValue()
            source.send(1)
            source.send(2)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(undrained.values == [UndrainedService(service: "pump", values: 2, reason: .cancelled)])
            try await until { source.liveSubscriptions == 0 }
        }

        @Test("It ends with its signal, fails with it, and fails with its handler")
        func ends() async throws {
            try await Signals.from(1...3).service(
                named: "a",
                drainingWithin: .seconds(100_000),
                undrained: undrained.append
            ) {
                handled.append($0)
            }.run()
            #expect(handled.values == [1, 2, 3])
            await #expect(throws: "gone" as TestFailure) {
                try await Signals.fail("gone" as TestFailure, of: Int.self)
                    .service(named: "b", drainingWithin: .seconds(100_000), undrained: undrained.append) { _ in }.run()
            }
            #expect(undrained.values == [])
            await #expect(throws: "no" as TestFailure) {
                try await Signals.from(1...3).service(
                    named: "c",
                    drainingWithin: .seconds(100_000),
                    undrained: undrained.append
                ) {
                    if $0 == 2 { throw "no" as TestFailure }
                }.run()
            }
            // A sequence is asked for one value at a time, so the third was not taken.
            #expect(undrained.values == [UndrainedService(service: "c", values: 1, reason: .failed)])
        }

        @Test("A source that can pause is paused while the handler is busy, and nothing is lost")
        func pausing() async throws {
            try await Signals.from(0..<10_000)
                .service(named: "pump", drainingWithin: .seconds(100_000), limit: 4, undrained: undrained.append) {
                    handled.append($0)
                }
                .run()
            let isWhole = handled.values == Array(0..<10_000)
            #expect(isWhole && undrained.values == [])
        }

        @Test("A value lost by its queue or its source does not count as undrained")
        func lost() async throws {
            let gate = ServiceStart()
            let service = source.service(
                named: "pump",
                drainingWithin: .milliseconds(20),
                limit: 2,
                overflow: .dropOldest,
                undrained: undrained.append
            ) { _ in
                await Task { _ = try? await gate.ready.firstValue() }.value
            }
            try await testGracefulShutdown { trigger in
                async let run: Void = service.run()
                _ = try await service.start.ready.firstValue()
                for value in 1...10 { source.send(value) }
                source.sendLoss(of: 1_000)
                trigger.triggerGracefulShutdown()
                try await run
            }
            let values = try #require(undrained.values.first?.values)
            // One is being handled, at most two were taken out of the queue together, and two are queued. The others
            // are lost.
            #expect((2...5).contains(values))
            gate.markReady()
        }

        @Test("A loss is reported at its place, and the service continues")
        func reportedLoss() async throws {
            let heard = Heard<Int>()
            let service = source.service(
                named: "pump",
                drainingWithin: .seconds(100_000),
                lost: { heard.append(-$0) },
                undrained: undrained.append
            ) { heard.append($0) }
            async let run: Void = service.run()
            _ = try await service.start.ready.firstValue()
            source.send(1)
            source.sendLoss(of: 3)
            source.send(2)
            source.complete()
            try await run
            #expect(heard.values == [1, -3, 2])
            #expect(undrained.values.isEmpty)
        }

        @Test("A source that is dropped without an end fails the service, which reports it")
        func abandoned() async throws {
            let subject = Lock<Subject<Int, Never>?>(Subject(of: Int.self))
            // Only the service holds the subject's signal, like a signal made from an object's events.
            let service = Signals.create(of: Int.self) { emitter in
                let handle = subject.withLock { $0 }?.subscribe(next: { emitter.send($0) })
                subject.withLock { $0 = nil }
                return handle
            }
            .service(named: "pump", drainingWithin: .seconds(100_000), undrained: undrained.append) { _ in }
            await #expect(throws: ReceiveError<Never>.abandoned) { try await service.run() }
        }

        @Test("In a group it subscribes after its predecessors, and the group's end is graceful")
        func order() async throws {
            let order = Heard<String>()
            let other = ProbeSource(of: Int.self, failure: TestFailure.self)
            let first = source.on(subscribed: { order.append("first") })
                .service(named: "first", drainingWithin: .seconds(100_000), undrained: undrained.append) { _ in }
            let second = other.on(subscribed: { order.append("second") })
                .service(
                    named: "second",
                    after: [first.start],
                    drainingWithin: .seconds(100_000),
                    undrained: undrained.append
                ) {
                    _ in
                }
            // In the wrong order on purpose.
            let group = ServiceGroup(services: [second, first], logger: Logger(label: "test"))
            let run = Task { try await group.run() }
            _ = try await second.start.ready.firstValue()
            #expect(order.values == ["first", "second"])
            await group.triggerGracefulShutdown()
            try await run.value
            try await until { source.liveSubscriptions + other.liveSubscriptions == 0 }
        }

        @Test("Told to end before its predecessors have started, it ends without having subscribed")
        func neverStarted() async throws {
            let service = source.service(
                named: "a",
                after: [ServiceStart()],
                drainingWithin: .seconds(100_000),
                undrained: undrained.append
            ) { _ in }
            try await testGracefulShutdown { trigger in
                trigger.triggerGracefulShutdown()
                try await service.run()
            }
            #expect(source.subscriptions == 0)
        }
    }
#endif
