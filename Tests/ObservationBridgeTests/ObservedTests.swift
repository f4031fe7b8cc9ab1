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
    /// How often ``seen`` was read.
    @ObservationIgnored let looks = Lock(0)
    var seen: Int {
        looks.withLock { $0 += 1 }
        return level
    }
}

@Suite("Observed properties as signals")
@MainActor
struct ObservedTests {
    @Test("the present value, and each change with its result, even of several at once")
    func everyChange() async throws {
        let model = Model()
        var heard = model.values(of: \.count).values().makeAsyncIterator()
        #expect(try await heard.next() == 2)
        model.count = 3
        model.count = 4
        model.count += 1
        model.name = "b"
        for number in 3...5 { #expect(try await heard.next() == number) }
        model.count = 6
        #expect(try await heard.next() == 6)
        // For the macro, an equal value is no change.
        model.count = 6
        model.count = 7
        #expect(try await heard.next() == 7)
    }

    @Test("a computed property changes with the properties that it is computed from")
    func computed() async throws {
        let model = Model()
        var heard = model.values(of: \.doubled).values().makeAsyncIterator()
        #expect(try await heard.next() == 4)
        model.count = 3
        #expect(try await heard.next() == 6)
    }

    @Test("several listeners; one that subscribes while a change is pending hears it once")
    func several() async throws {
        let model = Model()
        var first = model.values(of: \.count).values().makeAsyncIterator()
        #expect(try await first.next() == 2)
        model.count = 3
        var second = model.values(of: \.count).values().makeAsyncIterator()
        #expect(try await second.next() == 3)
        #expect(try await first.next() == 3)
        model.count = 4
        #expect(try await first.next() == 4)
        #expect(try await second.next() == 4)
    }

    @Test("a change made inside a callback is heard after it")
    func reentrant() async throws {
        let model = Model()
        let relay = Subject(of: Int.self)
        var heard = relay.values().makeAsyncIterator()
        let handle = model.values(of: \.count).subscribe(next: { [weak model] count in
            relay.send(count)
            MainActor.assumeIsolated { if count < 5 { model?.count += 1 } }
        })
        for number in 2...5 { #expect(try await heard.next() == number) }
        handle.dispose()
    }

    @Test("the object is not kept; the signal ends with it, after its last change")
    func death() async throws {
        var model: Model? = Model()
        weak let observed = model
        let signal = model?.values(of: \.count).eraseToAnySignal()
        var heard = signal?.values().makeAsyncIterator()
        #expect(try await heard?.next() == 2)
        model?.count = 3
        model = nil
        #expect(try await heard?.next() == 3)
        #expect(try await heard?.next() == nil)
        #expect(observed == nil)
        #expect(try await signal?.firstValue() == nil)
    }

    @Test("a property that cannot change has its value, and ends only with the object")
    func constant() async throws {
        var model: Model? = Model()
        let recorder = model.map { Recorder($0.values(of: \.constant)) }
        var marker = model?.values(of: \.count).values().makeAsyncIterator()
        #expect(try await marker?.next() == 2)
        model?.count = 3
        #expect(try await marker?.next() == 3)
        #expect(recorder?.events == [.next(7)])
        model = nil
        #expect(try await marker?.next() == nil)
        withKnownIssue("nothing that Observation notes goes with the object, so its end is not noticed") {
            #expect(recorder?.events == [.next(7), .completed])
        }
    }

    @Test("if more changes at once than the limit, the oldest are lost and counted")
    func flood() async throws {
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
        _ = try await begin.next()
        for number in 3...5000 { model.count = number }
        _ = try await end.next()
        #expect(recorder.lost == 4998 - 1025)
        let isTheRest = recorder.values == [2] + Array(3976...5000)
        #expect(isTheRest)
        recorder.dispose()
    }

    @Test("a listener that pauses with a limit of one then hears the present value, and how much it missed")
    func pausing() async throws {
        let model = Model()
        let time = TestScheduler()
        let recorder = Recorder(model.values(of: \.count, limit: 1).deliver(on: time, limit: 1))
        var marker = model.values(of: \.count).values().makeAsyncIterator()
        #expect(try await marker.next() == 2)
        for number in 3...6 {
            model.count = number
            #expect(try await marker.next() == number)
        }
        time.advance(by: .milliseconds(1))
        #expect(recorder.values == [2, 6] && recorder.lost == 3)
        recorder.dispose()
    }

    @Test("when cancelled before it begins, inside a callback, or afterwards, nothing more is heard")
    func cancelling() async throws {
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
        #expect(try await marker.next() == 2)
        model.count = 3
        model.count = 4
        #expect(try await marker.next() == 3)
        #expect(try await marker.next() == 4)
        #expect(heard.values == [2, 3] && before.values.isEmpty)
    }

    @Test("an object of a queue: read and heard on the queue")
    func queue() async throws {
        let queue = DispatchQueue(label: "meter")
        let meter = Meter()
        let elsewhere = Heard<Int>()
        let signal = meter.values(of: \.level, on: queue).on(next: { if !queue.isCurrent { elsewhere.append($0) } })
        var heard = signal.values(limit: 2000).makeAsyncIterator()
        queue.async { for level in 1...1000 { meter.level = level } }
        #expect(try await heard.next() == 0)
        for level in 1...1000 { #expect(try await heard.next() == level) }
        #expect(elsewhere.values.isEmpty)
    }

    @Test("listeners that come and go, whether notified or not, leave one registration for each property")
    func comeAndGo() async throws {
        let queue = DispatchQueue(label: "meter")
        let meter = Meter()
        let alive = Alive()
        for number in 0..<Stress.rounds(1_000, stress: 100_000) {
            let token = alive.token()
            let handle = meter.values(of: \.seen, on: queue).subscribe(next: { _ in token.sing() })
            // Every other listener hears the first value.
            if number % 2 == 0 { queue.sync {} }
            handle.dispose()
        }
        queue.sync {}
        alive.waitForNone()
        var heard = meter.values(of: \.seen, on: queue).values().makeAsyncIterator()
        #expect(try await heard.next() == 0)
        let before = meter.looks.withLock { $0 }
        queue.async { meter.level = 1 }
        #expect(try await heard.next() == 1)
        queue.sync {}
        // The one registration reads it once for the change before and once for this one.
        #expect(meter.looks.withLock { $0 } - before == 2)
    }

    // Used on the main actor only.
    @Observable
    fileprivate final class Holder: @unchecked Sendable {
        var held: AtRelease?
    }

    @Test("a value that is left out is released outside the lock: what it holds may end another subscription")
    func releasedValue() async throws {
        let holder = Holder()
        let recorder = Recorder(holder.values(of: \.held).map { $0 == nil })
        let other = Recorder(holder.values(of: \.held).map { $0 == nil })
        await until { recorder.valueCount == 1 && other.valueCount == 1 }
        // No other work of the main actor has its turn meanwhile.
        for _ in 0..<1_100 { holder.held = AtRelease { other.dispose() } }
        holder.held = nil
        await until { recorder.lost > 0 && recorder.values.last == true }
        #expect(recorder.violations == [] && other.valueCount == 1)
        recorder.dispose()
    }

}
