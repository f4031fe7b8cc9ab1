import Bus
import BusTesting
import Testing

/// A signal that cannot fail is used where one that can fail is expected, without `promoteFailure(to:)`.
@Suite("Signals that cannot fail combined with those that can")
struct MixedFailureTests {
    private static let broken: TestFailure = "broken"
    let safe = AnySignal(Signals.from(1...2))
    let failing = AnySignal(Signals.from(1...2).concat(Signals.fail(MixedFailureTests.broken, of: Int.self)))

    @Test("an inner signal that cannot fail")
    func safeInner() {
        let flat: some Signal<Int, TestFailure> = failing.flatMap { Signals.just($0 * 10) }
        let latest: some Signal<Int, TestFailure> = failing.flatMapLatest { Signals.just($0 * 10) }
        let flattened = failing.map { Signals.just($0 * 10) }.flatten(.concat)
        let switched = failing.map { Signals.just($0 * 10) }.switchToLatest()
        for signal in [AnySignal(flat), AnySignal(latest), AnySignal(flattened), AnySignal(switched)] {
            #expect(Recorder(signal).events == [.next(10), .next(20), .failed(Self.broken)])
        }
    }

    @Test("an inner signal that can fail, from a source that cannot")
    func failingInner() {
        let flat: some Signal<Int, TestFailure> = safe.flatMap { _ in failing }
        let latest = safe.flatMapLatest { _ in failing }
        let flattened = safe.map { _ in failing }.flatten()
        let switched = safe.map { _ in failing }.switchToLatest()
        for signal in [AnySignal(flat), AnySignal(latest), AnySignal(flattened), AnySignal(switched)] {
            #expect(Recorder(signal).events == [.next(1), .next(2), .failed(Self.broken)])
        }
    }

    @Test("two signals joined, in either order")
    func pairs() {
        let joined: [AnySignal<Int, TestFailure>] = [
            AnySignal(safe.merge(failing)), AnySignal(safe.concat(failing)), AnySignal(safe.then(failing)),
            AnySignal(failing.merge(safe)), AnySignal(failing.concat(safe)),
        ]
        for signal in joined { #expect(Recorder(signal).events.last == .failed(Self.broken)) }
        let winners: [AnySignal<Int, TestFailure>] = [
            AnySignal(safe.race(failing)), AnySignal(safe.take(untilReplacement: Signals.fail(Self.broken))),
            AnySignal(failing.take(untilReplacement: safe)),
        ]
        #expect(winners.map { Recorder($0).events.last } == [.completed, .failed(Self.broken), .completed])
    }

    @Test("latest and first values combined, in either order")
    func tuples() {
        let latest: some Signal<(Int, Int), TestFailure> = safe.combineLatest(failing)
        let zipped: some Signal<(Int, Int), TestFailure> = failing.zip(safe)
        #expect(Recorder(latest.map { "\($0)" }).events == [.next("(2, 1)"), .next("(2, 2)"), .failed(Self.broken)])
        #expect(Recorder(zipped.map { "\($0)" }).events == [.failed(Self.broken)])
        #expect(Recorder(safe.zip(failing.take(first: 2)).map { $0.1 }).events == [.next(1), .next(2), .completed])
    }

    @Test("conditions")
    func conditions() {
        let isEven: some Signal<Bool, TestFailure> = failing.map { $0.isMultiple(of: 2) }.or(Signals.just(false))
        #expect(Recorder(isEven).events.last == .failed(Self.broken))
        let both = Signals.just(true).and(failing.map { $0 > 1 })
        #expect(Recorder(both).events == [.next(false), .next(true), .failed(Self.broken)])
        let chosen = Signals.if(Signals.just(true), then: failing, else: failing)
        #expect(Recorder(chosen).events == [.next(1), .next(2), .failed(Self.broken)])
        let switched = Signals.switch(on: safe, cases: [2: failing], default: failing.take(first: 1))
        #expect(Recorder(switched).events == [.next(1), .next(1), .next(2), .failed(Self.broken)])
    }

    @Test("several signals: their failure is any error")
    func several() {
        let anyFailing: some Signal<Int, any Error> = failing.mapError { $0 as any Error }
        let texts = Signals.combineLatest(safe, failing, anyFailing).map { first, second, third in
            "\(first)\(second)\(third)"
        }
        let sums = Signals.zip(anyFailing, safe).map { $0 + $1 }
        let merged: some Signal<Int, any Error> = Signals.merge(safe, failing, anyFailing)
        let first: some Signal<Int, any Error> = Signals.concat(failing, safe)
        let winner: some Signal<Int, any Error> = Signals.race(safe, failing)
        #expect(fails(texts) && fails(merged) && fails(first) && fails(sums))
        #expect(!fails(winner))
    }

    @Test("if no input can fail, the result cannot")
    func safeAlone() {
        let alone: some Signal<Int, Never> = safe.flatMap { Signals.just($0) }.merge(safe).concat(safe)
        #expect(Recorder(alone).events.last == .completed)
    }

    private func fails(_ signal: some Signal<some Sendable, any Error>) -> Bool {
        let failures = Log<any Error>()
        _ = signal.subscribe(next: { _ in }, failed: { failures.append($0) })
        return failures.entries.count == 1
    }
}
