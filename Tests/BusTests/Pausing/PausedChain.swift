import Bus
import BusTesting
import Testing

/// An operator over sources that can pause.
struct PausedChain: Sendable, CustomTestStringConvertible {
    /// What a chain is built from.
    struct Material: Sendable {
        let count: Int
        let time: TestScheduler
        let lead: Lead
        let canary: Canary?

        /// The numbers from 0 on, combined with the number of their source; see `Array.from(_:)`.
        func numbers(_ source: Int) -> AnySignal<Int, Never> {
            Signals.from(CountedNumbers(count: count, lead: lead, canary: canary)).map { source * 10_000 + $0 }
                .eraseToAnySignal()
        }
    }

    let name: String
    /// How many of the sources are heard completely, each in its order.
    let sources: Int
    /// How many source values make one heard value.
    let inputs: Int
    /// How many values may be in flight at most.
    let bound: Int
    let build: @Sendable (Material) -> AnySignal<Int, Never>
    /// The expected values, if the order among the sources is known, too.
    let values: (@Sendable (_ count: Int) -> [Int])?

    var testDescription: String { name }

    init(
        _ name: String,
        sources: Int = 1,
        inputs: Int = 1,
        bound: Int = 1,
        values: (@Sendable (_ count: Int) -> [Int])? = nil,
        _ build: @escaping @Sendable (Material) -> some Signal<Int, Never>
    ) {
        self.name = name
        self.sources = sources
        self.inputs = inputs
        self.bound = bound
        self.values = values
        self.build = { build($0).eraseToAnySignal() }
    }

    /// The capacity of a queue shared by several senders, and one value in flight from each of them.
    private static let line = 1024 + 3

    static let all: [PausedChain] = hopping + joining + flattening + following + others

    static let hopping: [PausedChain] = [
        PausedChain("deliver(on:)", bound: 8 + 1) { $0.numbers(0).deliver(on: $0.time, limit: 4) },
        PausedChain("deliver(on:) of one", bound: 2 + 1) { $0.numbers(0).deliver(on: $0.time, limit: 1) },
        PausedChain("deliver(on:) twice", bound: 8 + 6 + 1) {
            $0.numbers(0).deliver(on: $0.time, limit: 4).deliver(on: $0.time, limit: 3)
        },
        PausedChain("subscribe(on:)") { $0.numbers(0).subscribe(on: $0.time) },
        PausedChain("subscribe(on:), deliver(on:)", bound: 8 + 1) {
            $0.numbers(0).subscribe(on: $0.time).deliver(on: $0.time, limit: 4)
        },
    ]

    static let joining: [PausedChain] = [
        PausedChain("merge", sources: 2, bound: line) { $0.numbers(0).merge($0.numbers(1)) },
        PausedChain("merge of three", sources: 3, bound: line) { material in
            Signals.merge((0..<3).map { material.numbers($0) })
        },
        PausedChain("concat", values: { n in Array(0..<n) + (0..<n).map { 10_000 + $0 } }) {
            $0.numbers(0).concat($0.numbers(1))
        },
        PausedChain("zip", inputs: 2, bound: 8 + 2, values: { Array(0..<$0) }) {
            $0.numbers(0).zip($0.numbers(1), limit: 4).map { $0.0 == $0.1 - 10_000 ? $0.0 : -1 }
        },
        PausedChain("zip of a pack", inputs: 3, bound: 12 + 3, values: { Array(0..<$0) }) {
            Signals.zip($0.numbers(0), $0.numbers(0), $0.numbers(0), limit: 4)
                .map { $0.0 == $0.1 && $0.1 == $0.2 ? $0.0 : -1 }
        },
        PausedChain("zip of a list", inputs: 3, bound: 12 + 3, values: { Array(0..<$0) }) {
            Signals.zip([$0.numbers(0), $0.numbers(0), $0.numbers(0)], limit: 4).map { Set($0).count == 1 ? $0[0] : -1 }
        },
        PausedChain("combineLatest", bound: .max, values: { n in (0..<n).map { n - 1 + $0 } }) {
            $0.numbers(0).combineLatest($0.numbers(0)).map { $0.0 + $0.1 }
        },
        PausedChain("combineLatest of a pack", bound: .max, values: { n in (0..<n).map { n - 1 + $0 } }) {
            Signals.combineLatest($0.numbers(0), $0.numbers(0)).map { $0.0 + $0.1 }
        },
        PausedChain("combineLatest of a list", bound: .max, values: { n in (0..<n).map { n - 1 + $0 } }) {
            Signals.combineLatest([$0.numbers(0), $0.numbers(0)]).map { $0[0] + $0[1] }
        },
        PausedChain("withLatest(from:)", bound: .max, values: { n in (0..<n).map { n - 1 + $0 } }) {
            $0.numbers(0).withLatest(from: $0.numbers(0)).map { $0.0 + $0.1 }
        },
        PausedChain("sample(when:)", bound: .max, values: { n in Array(repeating: n - 1, count: n) }) {
            $0.numbers(0).concat(Signals.never(Int.self)).sample(when: $0.numbers(0))
        },
        PausedChain("race") { Signals.race($0.numbers(0), $0.numbers(1)) },
        PausedChain("race after a silent one") { Signals.never(Int.self).race($0.numbers(0)) },
        PausedChain("take(until:)") { $0.numbers(0).take(until: Signals.never(Int.self)) },
        PausedChain("take(untilReplacement:)") {
            $0.numbers(0).take(untilReplacement: Signals.never(Int.self)).take(first: $0.count)
        },
        PausedChain("skip(until:)") { $0.numbers(0).skip(until: Signals.just(0)) },
        PausedChain("prepend", values: { [5, 6, 7] + Array(0..<$0) }) { $0.numbers(0).prepend(5, 6, 7) },
        PausedChain("append", values: { Array(0..<$0) + [5, 6, 7] }) { $0.numbers(0).append(5, 6, 7) },
        PausedChain("then", bound: .max, values: { n in (0..<n).map { 10_000 + $0 } }) {
            $0.numbers(0).then($0.numbers(1))
        },
    ]

    static let flattening: [PausedChain] = [
        PausedChain("flatMap(.merge)", sources: 3, bound: line) { material in
            Signals.from(0..<3).flatMap { material.numbers($0) }
        },
        PausedChain("flatMap(.merge(maxConcurrent: 2))", sources: 3, bound: line) { material in
            Signals.from(0..<3).flatMap(.merge(maxConcurrent: 2), limit: 1) { material.numbers($0) }
        },
        PausedChain(
            "flatMap(.concat)",
            sources: 3,
            bound: 1,
            values: { n in (0..<3).flatMap { s in (0..<n).map { s * 10_000 + $0 } } }
        ) {
            material in
            Signals.from(0..<3).flatMap(.concat, limit: 1) { material.numbers($0) }
        },
        PausedChain("flatMap(.concat) of many", bound: 2 + 1, values: { Array(0..<$0) }) {
            $0.numbers(0).flatMap(.concat, limit: 2) { Signals.just($0) }.take(first: $0.count)
        },
        PausedChain("flatMap(.first)") { material in Signals.just(0).flatMap(.first) { _ in material.numbers(0) } },
        PausedChain("flatMap(.race)") { material in Signals.from(0..<3).flatMap(.race) { material.numbers($0) } },
        PausedChain("switchToLatest") { material in Signals.from([material.numbers(0)]).switchToLatest() },
        PausedChain("flatMapLatest of many") { $0.numbers(0).flatMapLatest { Signals.just($0) } },
        PausedChain("groupBy") { $0.numbers(0).groupBy { $0 % 3 }.flatMap { $0.map { $0 } } },
        PausedChain("groupBy, concat", values: { n in Array(0..<n) }) { material in
            material.numbers(0).groupBy { _ in 0 }.flatMap(.concat) { $0.map { $0 } }
        },
    ]

    static let following: [PausedChain] = [
        PausedChain("repeat", values: { n in (0..<3).flatMap { _ in 0..<n } }) { $0.numbers(0).repeat(3) },
        PausedChain("retry", values: { n in (0..<3).flatMap { _ in 0..<n } }) {
            $0.numbers(0).promoteFailure(to: TestFailure.self).concat(Signals.fail("broken", of: Int.self)).retry(2)
                .catch { _ in Signals.empty(Int.self) }
        },
        PausedChain("retry(when:)", values: { n in (0..<3).flatMap { _ in 0..<n } }) {
            $0.numbers(0).promoteFailure(to: TestFailure.self).concat(Signals.fail("broken", of: Int.self))
                .retry(when: { failures in
                    failures.promoteFailure(to: TestFailure.self).enumerated().attemptMap {
                        failure throws(TestFailure) in
                        if failure.offset == 2 { throw TestFailure("given up") }
                    }
                })
                .catch { _ in Signals.empty(Int.self) }
        },
        PausedChain("catch", values: { n in Array(0..<n) + (0..<n).map { 10_000 + $0 } }) { material in
            material.numbers(0).promoteFailure(to: TestFailure.self).concat(Signals.fail("broken", of: Int.self))
                .catch { _ in material.numbers(1) }
        },
        PausedChain("replaceError", values: { Array(0..<$0) + [7] }) {
            $0.numbers(0).promoteFailure(to: TestFailure.self).concat(Signals.fail("broken", of: Int.self))
                .replaceError(with: 7)
        },
    ]

    static let others: [PausedChain] = [
        PausedChain("share") { $0.numbers(0).share() },
        PausedChain("share(replay:)") { $0.numbers(0).share(replay: 3) },
        PausedChain("replayLazily") { $0.numbers(0).replayLazily(capacity: 3) },
        PausedChain("autoconnect") { $0.numbers(0).publish().autoconnect() },
        PausedChain("on") { $0.numbers(0).on(next: { _ in }, completed: {}) },
        PausedChain("erased twice") { $0.numbers(0).eraseToAnySignal().eraseToAnySignal() },
        PausedChain("create from another", bound: line) { material in
            Signals.politely((0..<material.count)).zip(material.numbers(0)).map { $0.1 }
        },
    ]
}
