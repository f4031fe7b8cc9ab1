import Bus
import BusTesting
import Testing

// Serialized, because they count each other's subscriptions.
@Suite("The leak check", .serialized)
struct LeakCheckTests {
    @Test("a chain that was disposed of, dropped or ended leaves nothing behind")
    func nothing() {
        let kept = Lock<[any Disposable]>([])
        let left = LeakCheck.leftovers { check in
            let canary = check.canary()
            let source = check.source("source", of: Int.self)
            let dropped = Subject(of: Int.self)
            check.watch(dropped)
            let first = source.map { [canary] value in withExtendedLifetime(canary) { value } }.subscribe()
            let second = dropped.map { [canary] value in withExtendedLifetime(canary) { value } }.subscribe()
            kept.withLock { $0 = [first, second] }
            source.send(1)
            first.dispose()
        }
        #expect(left == [])
    }

    @Test("an object, a closure and a subscription that are left are named")
    func something() {
        let kept = Lock<[any Sendable]>([])
        let left = LeakCheck.leftovers { check in
            let canary = check.canary("the map's closure")
            let source = check.source("source", of: Int.self)
            let subject = Subject(of: Int.self)
            check.watch(subject, "the subject")
            _ = source.map { [canary] value in withExtendedLifetime(canary) { value } }.subscribe(next: {
                subject.send($0)
            }
            )
            kept.withLock { $0 = [source] }
        }
        #expect(left == ["the map's closure is left", "the subject is left", "1 subscriptions to source are left"])
        kept.withLock { $0 = [] }
    }

    @Test("a subscription that is left in the counted files is listed with its place")
    func counted() {
        let subject = Subject(of: Int.self)
        let left = LeakCheck.leftovers(countingSubscriptionsIn: #fileID) { _ in
            _ = subject.map { $0 + 1 }.subscribe()
        }
        #expect(left.count == 1)
        #expect(left.first?.hasPrefix("the subscription [Subject] map (\(#fileID):") == true, "\(left)")
        #expect(LeakCheck.leftovers(countingSubscriptionsIn: "Elsewhere/") { _ in _ = subject.subscribe() } == [])
        subject.complete()
        #expect(LeakCheck.leftovers(countingSubscriptionsIn: #fileID) { _ in _ = subject.subscribe() } == [])
    }

    @Test("a loop over values whose task was cancelled leaves nothing behind")
    func cancelled() async {
        let left = await LeakCheck.leftovers { check in
            let source = check.source("source", of: Int.self)
            check.watch(source)
            let task = Task { for try await _ in source.values() {} }
            while source.subscriptions == 0 { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        #expect(left == [])
    }

    @Test("releases that happen after the block are waited for", arguments: [true, false])
    func settling(settles: Bool) {
        let kept = Lock<Subject<Int, Never>?>(nil)
        let forget = { _ = kept.withLock { kept -> Subject<Int, Never>? in kept.take() } }
        let left = LeakCheck.leftovers(settle: { if settles { forget() } }) { check in
            let object = Subject(of: Int.self)
            check.watch(object, "the object")
            kept.withLock { $0 = object }
        }
        #expect(left == (settles ? [] : ["the object is left"]))
    }

    @Test("releases that happen in a task after the block are waited for", arguments: [true, false])
    func settlingInATask(settles: Bool) async {
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let kept = Lock<Subject<Int, Never>?>(nil)
        let task = Task {
            for await _ in gate {}
            _ = kept.withLock { kept -> Subject<Int, Never>? in kept.take() }
        }
        let settle = {
            opening.finish()
            await task.value
        }
        let left = await LeakCheck.leftovers(settle: { if settles { await settle() } }) { check in
            let object = Subject(of: Int.self)
            check.watch(object, "the object")
            kept.withLock { $0 = object }
        }
        #expect(left == (settles ? [] : ["the object is left"]))
        await settle()
    }
}
