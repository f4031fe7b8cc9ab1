import Bus
import BusTesting
import Dispatch
import DispatchBridge
import Observation
import ObservationBridge
import TestSupport
import Testing

@MainActor @Observable
private final class Model {
    var count = 2
    var name = "a"
    let constant = 7
    var doubled: Int { count * 2 }
}

/// Changed on its queue only.
@Observable
private final class Meter: @unchecked Sendable {
    var level = 0
}

@Suite("Observed properties as signals")
@MainActor
struct ObservedTests {
    @Test("the value there is, and each change with what it made, also of several in one go", .timeLimit(.minutes(15)))
    func everyChange() async {
        let model = Model()
        var heard = model.values(of: \.count).values().makeAsyncIterator()
        #expect(await heard.next() == 2)
        model.count = 3
        model.count = 4
        model.count += 1
        model.name = "b"
        for number in 3...5 { #expect(await heard.next() == number) }
        model.count = 6
        #expect(await heard.next() == 6)
        // An equal value is none for the macro.
        model.count = 6
        model.count = 7
        #expect(await heard.next() == 7)
    }

    @Test("a computed property changes with what it is computed from", .timeLimit(.minutes(15)))
    func computed() async {
        let model = Model()
        var heard = model.values(of: \.doubled).values().makeAsyncIterator()
        #expect(await heard.next() == 4)
        model.count = 3
        #expect(await heard.next() == 6)
    }

    @Test("several listeners; who comes while a change waits hears it once", .timeLimit(.minutes(15)))
    func several() async {
        let model = Model()
        var first = model.values(of: \.count).values().makeAsyncIterator()
        #expect(await first.next() == 2)
        model.count = 3
        var second = model.values(of: \.count).values().makeAsyncIterator()
        #expect(await second.next() == 3)
        #expect(await first.next() == 3)
        model.count = 4
        #expect(await first.next() == 4)
        #expect(await second.next() == 4)
    }

    @Test("a change made inside a callback is heard after it", .timeLimit(.minutes(15)))
    func reentrant() async {
        let model = Model()
        let relay = Subject(of: Int.self)
        var heard = relay.values().makeAsyncIterator()
        let handle = model.values(of: \.count).subscribe(next: { [weak model] count in
            relay.send(count)
            MainActor.assumeIsolated { if count < 5 { model?.count += 1 } }
        })
        for number in 2...5 { #expect(await heard.next() == number) }
        handle.dispose()
    }

    @Test("the object is not kept; with it the signal ends, after its last change", .timeLimit(.minutes(15)))
    func death() async {
        var model: Model? = Model()
        weak let observed = model
        let signal = model?.values(of: \.count).eraseToAnySignal()
        var heard = signal?.values().makeAsyncIterator()
        #expect(await heard?.next() == 2)
        model?.count = 3
        model = nil
        #expect(await heard?.next() == 3)
        #expect(await heard?.next() == nil)
        #expect(observed == nil)
        #expect(await signal?.firstValue() == nil)
    }

    @Test("a property that cannot change has its value, and no end before the object's", .timeLimit(.minutes(15)))
    func constant() async {
        let model = Model()
        #expect(await model.values(of: \.constant).firstValue() == 7)
    }

    @Test("more changes in one go than may wait: the oldest are lost and counted", .timeLimit(.minutes(15)))
    func flood() async {
        let model = Model()
        let ended = Subject(of: Void.self)
        let begun = Subject(of: Void.self)
        var end = ended.values().makeAsyncIterator()
        var begin = begun.values().makeAsyncIterator()
        let recorder = Recorder(model.values(of: \.count)) { value in
            if value == 2 { begun.send(()) }
            if value == 5000 { ended.send(()) }
            return .more
        }
        await begin.next()
        for number in 3...5000 { model.count = number }
        await end.next()
        #expect(recorder.lost == 4998 - 1025)
        let isTheRest = recorder.values == [2] + Array(3976...5000)
        #expect(isTheRest)
        recorder.dispose()
    }

    @Test("cancelled before it begins, inside a callback, and after: nothing more is heard", .timeLimit(.minutes(15)))
    func cancelling() async {
        let model = Model()
        let before = Recorder(model.values(of: \.count))
        before.dispose()
        let handle = SerialDisposable()
        let heard = Heard<Int>()
        handle.set(
            model.values(of: \.count).subscribe(next: { count in
                heard.append(count)
                if count == 3 { handle.dispose() }
            })
        )
        var marker = model.values(of: \.count).values().makeAsyncIterator()
        #expect(await marker.next() == 2)
        model.count = 3
        model.count = 4
        #expect(await marker.next() == 3)
        #expect(await marker.next() == 4)
        #expect(heard.values == [2, 3] && before.values.isEmpty)
    }

    @Test("an object of a queue: read and heard on the queue", .timeLimit(.minutes(15)))
    func queue() async {
        let queue = DispatchQueue(label: "meter")
        let meter = Meter()
        let elsewhere = Heard<Int>()
        let signal = meter.values(of: \.level, on: queue).on(next: { if !queue.isCurrent { elsewhere.append($0) } })
        var heard = signal.values(limit: 2000).makeAsyncIterator()
        queue.async { for level in 1...1000 { meter.level = level } }
        for level in await heard.next() == 0 ? 1...1000 : 1001...1001 { #expect(await heard.next() == level) }
        #expect(elsewhere.values.isEmpty)
    }

    @Test("a hundred thousand listeners that come and go leave one note a property", .timeLimit(.minutes(3)))
    func comeAndGo() async {
        let queue = DispatchQueue(label: "meter")
        let meter = Meter()
        weak var last: Canary?
        for _ in 0..<100_000 {
            let canary = Canary()
            last = canary
            meter.values(of: \.level, on: queue).subscribe(next: { _ in canary.sing() }).dispose()
        }
        queue.sync {}
        #expect(last == nil)
        var heard = meter.values(of: \.level, on: queue).values().makeAsyncIterator()
        #expect(await heard.next() == 0)
        queue.async { meter.level = 1 }
        #expect(await heard.next() == 1)
    }
}
