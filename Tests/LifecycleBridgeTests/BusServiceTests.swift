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

    @Suite("A bus as a service")
    struct BusServiceTests {
        private static let numbers = Topic<Int>("test.numbers")
        let bus = NotificationBus()
        let undrained = Heard<UndrainedBus>()

        private func service(_ time: Duration = .seconds(100_000)) -> BusService {
            bus.service(drainingWithin: time, undrained: undrained.append)
        }

        /// Waits until a condition holds. The task that changes it runs elsewhere.
        private func until(_ condition: () -> Bool) async throws {
            while !condition() {
                try #require(!RunLimit.isOver)
                try await SystemClock.monotonic.sleep(for: .milliseconds(1))
            }
        }

        @Test("Told to end, it closes the bus, and ends when the slowest subscriber has heard everything")
        func drains() async throws {
            let slow = PausingRecorder(bus.signal(for: Self.numbers), after: 1)
            let fast = Recorder(bus.envelopes(matching: ">"))
            try await testGracefulShutdown { trigger in
                let hasEnded = Heard<Bool>()
                async let run: Void = {
                    try await service().run()
                    hasEnded.append(slow.hasEnded && fast.hasEnded)
                }()
                for value in 1...4 { bus.post(value, to: Self.numbers) }
                trigger.triggerGracefulShutdown()
                try await until { fast.hasEnded }
                #expect(bus.isClosed && !slow.hasEnded && hasEnded.values.isEmpty)
                slow.release()
                try await run
                #expect(hasEnded.values == [true])
            }
            #expect(slow.values == [1, 2, 3, 4])
            #expect(undrained.values.isEmpty)
        }

        @Test("It waits for a subscriber on another thread until that has heard the end there")
        func hop() async throws {
            let time = TestScheduler()
            let recorder = Recorder(bus.signal(for: Self.numbers).deliver(on: time))
            try await testGracefulShutdown { trigger in
                let hasEnded = Heard<Bool>()
                async let run: Void = {
                    try await service().run()
                    hasEnded.append(recorder.hasEnded)
                }()
                for value in 1...4 { bus.post(value, to: Self.numbers) }
                trigger.triggerGracefulShutdown()
                try await until { bus.isClosed && bus.backlog.first?.waiting == 4 }
                #expect(recorder.values.isEmpty)
                await offThePool { time.advance() }
                try await run
                #expect(hasEnded.values == [true])
            }
            #expect(recorder.values == [1, 2, 3, 4])
            #expect(undrained.values.isEmpty)
        }

        @Test("Subscribers that are not done in time are reported with their queued values")
        func deadline() async throws {
            let slow = PausingRecorder(bus.signal(for: Self.numbers), after: 1)
            let pattern = PausingRecorder(bus.envelopes(matching: "test.*"), after: 2)
            let done = Recorder(bus.envelopes(matching: ">"))
            for value in 1...4 { bus.post(value, to: Self.numbers) }
            try await testGracefulShutdown { trigger in
                trigger.triggerGracefulShutdown()
                try await service(.milliseconds(20)).run()
            }
            let report = UndrainedBus(
                service: "bus",
                subscribers: [
                    SubscriberBacklog(pattern: "test.numbers", waiting: 3),
                    SubscriberBacklog(pattern: "test.*", waiting: 2),
                ],
                reason: .deadline(.milliseconds(20))
            )
            // On a busy machine the bus may only be closed a moment after the deadline.
            let found = try #require(undrained.values.first)
            #expect(found.subscribers.prefix(2) == report.subscribers[...])
            #expect(found.service == report.service && found.reason == report.reason)
            #expect(
                "\(report)" == """
                    bus: subscribers were not done 0.02 seconds after it was asked to end: test.numbers (3 waiting), \
                    test.* (2 waiting)
                    """
            )
            try await until { done.hasEnded }
            slow.release()
            pattern.release()
            #expect(slow.hasEnded && pattern.hasEnded)
        }

        @Test("When cancelled, it closes the bus, waits for nobody, and reports")
        func cancelled() async throws {
            let slow = PausingRecorder(bus.signal(for: Self.numbers), after: 1)
            let fast = Recorder(bus.signal(for: Self.numbers))
            for value in 1...3 { bus.post(value, to: Self.numbers) }
            let task = Task { try await service().run() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let waiting = SubscriberBacklog(pattern: "test.numbers", waiting: 2)
            #expect(undrained.values == [UndrainedBus(service: "bus", subscribers: [waiting], reason: .cancelled)])
            try await until { fast.hasEnded }
            slow.dispose()
        }

        @Test("It ends when other code closes the bus, once the subscribers are done")
        func closedElsewhere() async throws {
            let slow = PausingRecorder(bus.signal(for: Self.numbers), after: 0)
            bus.post(1, to: Self.numbers)
            let task = Task { try await service().run() }
            bus.close()
            slow.release()
            try await task.value
            #expect(slow.values == [1] && slow.hasEnded)
            #expect(undrained.values.isEmpty)
        }

        @Test("In a group, values that later services post at their end are heard")
        func order() async throws {
            let recorder = Recorder(bus.signal(for: Self.numbers))
            let source = ProbeSource(of: Int.self, failure: Never.self)
            let gate = ServiceStart()
            let intake = source.service(
                named: "intake",
                drainingWithin: .seconds(100_000),
                undrained: { Issue.record("\($0)") }
            ) {
                _ = try await gate.ready.firstValue()
                bus.post($0, to: Self.numbers)
            }
            let group = ServiceGroup(services: [service(), intake], logger: Logger(label: "test"))
            let run = Task { try await group.run() }
            _ = try await intake.start.ready.firstValue()
            for value in 1...5 { source.send(value) }
            await group.triggerGracefulShutdown()
            try await until { source.liveSubscriptions == 0 }
            #expect(!bus.isClosed)
            gate.markReady()
            try await run.value
            #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.hasEnded)
            #expect(undrained.values.isEmpty)
        }
    }
#endif
