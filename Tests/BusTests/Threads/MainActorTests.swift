import Bus
import Testing

/// Written like a program on the main actor.
@Suite("Signals and the main actor")
@MainActor
struct MainActorTests {
    @MainActor
    private final class Model {
        var count = 0
        var heard: [Int] = []
        let subscriptions = CompoundDisposable()

        func follow(_ numbers: some Signal<Int, Never>, end: AsyncStream<Void>.Continuation) {
            numbers.subscribeOnMain(next: { [weak self] in self?.heard.append($0) }, completed: { end.finish() })
                .store(in: subscriptions)
        }
    }

    /// A class that is not `Sendable`.
    private final class Station {
        @Observed var temperature = 20
        var name = ""
    }

    /// Returns when the main actor has run all work submitted so far.
    private func settle() async {
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        ActorScheduler(MainActor.shared).schedule { end.finish() }
        for await _ in done {}
    }

    @Test("values arrive in order, after the call, and then the end")
    func order() async {
        let model = Model()
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        model.follow(Signals.from(0..<5_000), end: end)
        #expect(model.heard.isEmpty)
        for await _ in done {}
        #expect(model.heard == Array(0..<5_000))
    }

    @Test("a failure is heard there")
    func failure() async {
        struct Broken: Error {}
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        let model = Model()
        let handle = Signals.fail(Broken(), of: Int.self).subscribeOnMain(
            next: { model.count = $0 },
            failed: { _ in
                model.count = -1
                end.finish()
            }
        )
        for await _ in done {}
        #expect(model.count == -1)
        handle.dispose()
    }

    @Test("after a disposal on the main actor nothing is heard")
    func disposed() async {
        let model = Model()
        let source = Subject(of: Int.self)
        let handle = source.subscribeOnMain(next: { model.heard.append($0) })
        for value in 0..<10 { source.send(value) }
        handle.dispose()
        await settle()
        await settle()
        #expect(model.heard.isEmpty)
    }

    @Test("values that cannot pause and find the queue full are counted, in their place")
    func lost() async {
        let model = Model()
        let source = Subject(of: Int.self)
        let handle = source.subscribeOnMain(
            limit: 2,
            next: { model.heard.append($0) },
            lost: { model.count += $0 }
        )
        for value in 0..<5 { source.send(value) }
        await settle()
        await settle()
        #expect(model.heard == [0, 1])
        #expect(model.count == 3)
        handle.dispose()
    }

    @Test("a variable of a class on the main actor is bound to one signal at a time, and the object is not kept")
    func assigned() async {
        var model: Model? = Model()
        weak let watched = model
        let (first, second) = (Subject(of: Int.self), Subject(of: Int.self))
        if let model {
            let binding = first.assignOnMain(to: \.count, onWeak: model)
            first.send(1)
            await settle()
            await settle()
            #expect(model.count == 1)
            second.assignOnMain(to: \.count, onWeak: model)
            #expect(binding.isDisposed)
            first.send(2)
            second.send(3)
            await settle()
            await settle()
            #expect(model.count == 3)
        }
        model = nil
        #expect(watched == nil)
    }

    @Test("a variable whose values arrive too fast ends with the latest, and the losses are counted")
    func tooFast() async {
        let model = Model()
        let source = Subject(of: Int.self)
        let before = Subscriptions.unheardLosses
        source.assignOnMain(to: \.count, onWeak: model, limit: 2)
        for value in 1...50 { source.send(value) }
        await settle()
        await settle()
        #expect(model.count == 50)
        #expect(Subscriptions.unheardLosses - before >= 48)
    }

    @Test("many objects are bound and freed")
    func many() async {
        let source = Subject(of: Int.self)
        for _ in 0..<1_000 { source.assignOnMain(to: \.count, onWeak: Model()) }
        let model = Model()
        source.assignOnMain(to: \.count, onWeak: model)
        source.send(7)
        await settle()
        await settle()
        #expect(model.count == 7)
    }

    @Test("a variable of a class that is not Sendable")
    func plainClass() async {
        let station = Station()
        let names = Subject(of: String.self)
        names.assignOnMain(to: \.name, onWeak: station)
        names.send("north")
        await settle()
        await settle()
        #expect(station.name == "north")

        let (first, second) = (Subject(of: Int.self), Subject(of: Int.self))
        first.assign(to: station.$temperature)
        first.send(21)
        #expect(station.temperature == 21)
        second.assign(to: station.$temperature)
        first.send(22)
        second.send(23)
        #expect(station.temperature == 23)
    }
}
