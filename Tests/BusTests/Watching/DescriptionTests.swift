import Bus
import BusTesting
import Testing

/// The description of a signal. The counts are shared by all tests, so this suite compares differences that only it can
/// cause. Each test finds its own subscriptions by a name.
@Suite("Signals and subscriptions describe themselves")
struct DescriptionTests {
    @Test("a chain is described from its source to its last operator")
    func chain() {
        let thread = ThreadScheduler(name: "main")
        let signal = Subject(of: Int.self).named("journal").filter { $0 > 0 }.take(first: 3).deliver(on: thread)
        #expect(signal.chain.description == "[journal] filter → take(first: 3) → deliver(main)")
    }

    @Test("a name replaces the chain so far and has its place in the code")
    func named() {
        let signal = Signals.from([1]).map { $0 }.named("numbers").map { $0 }
        let line = UInt(#line - 1)
        #expect(signal.chain.description == "[numbers] map")
        #expect(signal.chain.location == CodeLocation(fileID: #fileID, line: line))
        #expect(signal.chain.location?.description == "BusTests/DescriptionTests.swift:\(line)")
    }

    @Test("operators that retry, watch and move describe themselves")
    func operators() {
        let source = Signals.fail(TestFailure(stringLiteral: "x"), of: Int.self).named("s")
        #expect(source.retry(3).chain.description == "[s] retry(3)")
        #expect(source.retryForever().chain.description == "[s] retryForever")
        #expect(source.retry(when: { $0 }).chain.description == "[s] retry(when:)")
        #expect(source.repeat(2).chain.description == "[s] repeat(2)")
        #expect(source.repeatForever().chain.description == "[s] repeatForever")
        #expect(source.catch { _ in Signals.just(1) }.chain.description == "[s] catch")
        #expect(source.replaceError(with: 1).chain.description == "[s] replaceError")
        #expect(source.on().chain.description == "[s] on")
        #expect(source.finally {}.chain.description == "[s] finally")
        #expect(source.groupBy { $0 }.chain.description == "[s] groupBy")
        let pool = ConcurrentScheduler(name: "pool", threads: 2)
        #expect(source.subscribe(on: pool).chain.description == "[s] subscribe(on: pool)")
    }

    @Test("schedulers have their names")
    func schedulers() {
        actor Stage {}
        #expect(ImmediateScheduler().name == "immediate")
        #expect(ThreadScheduler(name: "bus").name == "bus")
        #expect(ConcurrentScheduler(name: "pool", threads: 2).name == "pool")
        #expect(ActorScheduler(Stage()).name == "Stage")
        #expect(TestScheduler().name == "TestScheduler")
    }

    @Test("a live subscription is listed with its chain and its place until it is over")
    func list() {
        let source = Subject(of: Int.self)
        func live() -> [String] {
            Subscriptions.list.map(\.description).filter { $0.contains("listed") }
        }
        let handle = source.named("listed").map { $0 }.subscribe()
        let line = #line - 1
        #expect(live() == ["[listed] map (BusTests/DescriptionTests.swift:\(line))"])
        #expect(Subscriptions.count >= 1)
        let second = source.named("listed").subscribe()
        #expect(live().count == 2)
        handle.dispose()
        #expect(live().count == 1)
        source.complete()
        #expect(live() == [])
        withExtendedLifetime(second) {}
    }

    @Test("a task that waits for a value, and an actor's subscription, are listed too")
    func listedTasks() async throws {
        actor Stage {}
        let source = Subject(of: Int.self)
        func live() -> [String] {
            Subscriptions.list.map(\.chain.description).filter { $0.contains("awaited") }
        }
        let handle = source.named("awaited").subscribe(isolatedTo: Stage()) { _, _ in }
        #expect(live() == ["[awaited] deliver(Stage)"])
        handle.dispose()
        #expect(live() == [])
        async let first = source.named("awaited").firstValue()
        while live().isEmpty { await Task.yield() }
        // It is listed before it is subscribed.
        while !live().isEmpty {
            source.send(1)
            await Task.yield()
        }
        #expect(try await first == 1)
        #expect(live() == [])
    }
}
