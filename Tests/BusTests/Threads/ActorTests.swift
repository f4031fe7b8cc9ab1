import Bus
import BusTesting
import TestSupport
import Testing

@Suite("Signals and actors")
struct ActorTests {
    private actor Register {
        private(set) var events: [String] = []
        private(set) var numbers: [Int] = []

        func note(_ event: String) { events.append(event) }
        func add(_ number: Int) { numbers.append(number) }

        /// Called inside the actor, as in a program.
        func watch(_ signal: some Signal<Int, TestFailure>, limit: Int = 1024) -> any Disposable {
            signal.subscribe(
                isolatedTo: self,
                limit: limit,
                next: { register, value in register.numbers.append(value) },
                failed: { register, failure in register.events.append("failed \(failure)") },
                completed: { register in register.events.append("completed") },
                lost: { register, count in register.events.append("lost \(count)") }
            )
        }
    }

    /// Returns when the actor has run all work submitted so far.
    private func settle(_ register: Register) async {
        let (done, signalDone) = AsyncStream.makeStream(of: Void.self)
        ActorScheduler(register).schedule { signalDone.finish() }
        for await _ in done {}
    }

    private func waitForEnd(_ register: Register) async -> [String] {
        while true {
            let events = await register.events
            if events.contains(where: { $0.hasPrefix("completed") || $0.hasPrefix("failed") }) { return events }
            await Task.yield()
        }
    }

    @Test("values arrive in order, isolated to the actor, and then the end")
    func order() async {
        let register = Register()
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let count = Stress.rounds(10_000, stress: 50_000)
        let handle = await register.watch(source, limit: count)
        await Task.detached {
            for value in 0..<count { source.send(value) }
            source.fail("broken")
        }.value
        #expect(await waitForEnd(register) == ["failed broken"])
        let arrivedAll = areAscending(await register.numbers, count)
        #expect(arrivedAll)
        withExtendedLifetime(handle) {}
    }

    @Test("a source that can pause is slowed by the actor and loses nothing")
    func slowed() async {
        let register = Register()
        let thread = ThreadScheduler(name: "source")
        let count = Stress.rounds(5_000, stress: 20_000)
        let numbers = Signals.from(0..<count).promoteFailure(to: TestFailure.self).subscribe(on: thread)
        let handle = await register.watch(numbers, limit: 4)
        #expect(await waitForEnd(register) == ["completed"])
        let arrivedAll = areAscending(await register.numbers, count)
        #expect(arrivedAll)
        withExtendedLifetime(handle) {}
    }

    @Test(
        "a source that cannot pause loses values if the queue is full, and reports them in their place",
        arguments: [false, true]
    )
    func lost(pauses: Bool) async {
        let register = Register()
        let gate = Latch()
        ActorScheduler(register).schedule { gate.wait() }
        let source = Subject(of: Int.self, failure: TestFailure.self)
        // Subscribed to from outside, because the actor is busy.
        let handle = source.subscribe(
            isolatedTo: register,
            limit: 2,
            overflow: pauses ? .pause : .dropNewest,
            next: { register, value in register.add(value) },
            failed: { _, _ in },
            completed: { register in register.note("completed") },
            lost: { register, count in register.note("lost \(count)") }
        )
        for value in 0..<5 { source.send(value) }
        source.complete()
        gate.open()
        #expect(await waitForEnd(register) == ["lost 3", "completed"])
        #expect(await register.numbers == [0, 1])
        withExtendedLifetime(handle) {}
    }

    @Test("disposed of on the actor, it hears nothing more, whatever is queued")
    func disposedInside() async {
        let register = Register()
        let subscription = SerialDisposable()
        let source = Subject(of: Int.self)
        subscription.set(
            source.subscribe(isolatedTo: register) { register, value in
                register.add(value)
                if value == 2 { subscription.dispose() }
            }
        )
        for value in 0..<100 { source.send(value) }
        await settle(register)
        await settle(register)
        #expect(await register.numbers == [0, 1, 2])
    }

    @Test("disposed of elsewhere at any moment", arguments: 0..<50)
    func disposedElsewhere(round: Int) async {
        let register = Register()
        let source = ProbeSource<Int, Never>()
        let handle = source.subscribe(isolatedTo: register, limit: 16, overflow: .dropOldest) { register, value in
            register.add(value)
        }
        await offThePool {
            let threads = Threads()
            let reached = Latch()
            threads.start {
                for value in 0..<500 {
                    source.send(value)
                    if value == round * 10 { reached.open() }
                }
            }
            threads.start {
                reached.wait()
                handle.dispose()
            }
            threads.wait()
        }
        await settle(register)
        await settle(register)
        let heard = await register.numbers
        await settle(register)
        #expect(source.liveSubscriptions == 0)
        #expect(await register.numbers == heard)
        #expect(heard == heard.sorted())
    }

    @Test("the actor is released with the subscription")
    func freed() async {
        weak var weakly: Register?
        let source = Subject(of: Int.self)
        let handle: any Disposable
        do {
            let register = Register()
            weakly = register
            handle = source.subscribe(isolatedTo: register) { register, value in register.add(value) }
            source.send(1)
            await settle(register)
        }
        handle.dispose()
        while weakly != nil { await Task.yield() }
    }

    @Test("an actor that keeps the handle of its own subscription is released at the end")
    func freedByEnd() async {
        weak var weakly: Keeper?
        let source = Subject(of: Int.self)
        do {
            let keeper = Keeper()
            weakly = keeper
            await keeper.watch(source)
        }
        source.complete()
        while weakly != nil { await Task.yield() }
    }

    private actor Keeper {
        private var handle: (any Disposable)?

        func watch(_ source: Subject<Int, Never>) {
            handle = source.subscribe(isolatedTo: self) { _, _ in }
        }
    }

    @Test("a global actor's state is accessed without a hop")
    func mainActor() async {
        let source = Subject(of: Int.self)
        let (done, signalDone) = AsyncStream.makeStream(of: Int.self)
        let handle = source.subscribe(isolatedTo: MainActor.shared) { _, value in
            MainActor.assertIsolated()
            signalDone.yield(value)
            signalDone.finish()
        }
        source.send(7)
        var heard: [Int] = []
        for await value in done { heard.append(value) }
        #expect(heard == [7])
        handle.dispose()
    }
}
