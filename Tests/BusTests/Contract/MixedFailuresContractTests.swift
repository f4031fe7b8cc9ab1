import Bus
import BusTesting
import Testing

@Suite("Operators over a signal that can fail and one that cannot keep the delivery contract")
struct MixedFailuresContractTests {
    /// A signal that cannot fail, completes at once, and changes nothing about the other.
    private static let nothing = Signals.empty(Int.self).eraseToAnySignal()

    /// A signal that cannot fail, and has a value for each partner.
    private static let one = Signals.just(1).eraseToAnySignal()

    @Test("merge, concat and race")
    func joined() {
        check("merge, failing first") { $0.merge(Self.nothing).eraseToAnySignal() }
        check("merge, failing last") { Self.nothing.merge($0).eraseToAnySignal() }
        check("concat, failing first") { $0.concat(Self.nothing).eraseToAnySignal() }
        check("concat, failing last") { Self.nothing.concat($0).eraseToAnySignal() }
        check("race, failing first") { $0.race(Signals.never(Int.self)).eraseToAnySignal() }
        check("race, failing last") { Signals.never(Int.self).race($0).eraseToAnySignal() }
        check("then") { Self.nothing.then($0).eraseToAnySignal() }
    }

    @Test("merge, concat and race of a list, whose failure is any error")
    func lists() {
        check("merge list") { same(Signals.merge($0, Self.nothing)) }
        check("concat list") { same(Signals.concat(Self.nothing, $0)) }
        check("race list") { same(Signals.race($0, Signals.never(Int.self))) }
    }

    @Test("combineLatest")
    func combined() {
        check("combineLatest, failing first") { $0.combineLatest(Self.one).map(\.0).eraseToAnySignal() }
        check("combineLatest, failing last") { Self.one.combineLatest($0).map(\.1).eraseToAnySignal() }
        check("combineLatest list") { same(Signals.combineLatest(Self.one, $0).map { $0.1 }.eraseToAnySignal()) }
    }

    @Test("flatMap")
    func inner() {
        check("flatMap into a signal that cannot fail") { $0.flatMap(.concat) { Signals.just($0) }.eraseToAnySignal() }
        check("flatMapLatest into a signal that cannot fail") {
            $0.flatMapLatest { Signals.just($0) }.eraseToAnySignal()
        }
        check("flatMap of a signal that cannot fail") { source in
            Signals.just(1).flatMap(.concat) { _ in source }.eraseToAnySignal()
        }
    }

    private func check(
        _ name: String,
        _ make: @escaping @Sendable (AnySignal<Int, TestFailure>) -> AnySignal<Int, TestFailure>
    ) {
        #expect(ContractCheck(name) { make($0[0].eraseToAnySignal()) }.violations() == [])
    }

    /// With the failure's type, which a list does not keep.
    private func same(_ signal: AnySignal<Int, any Error>) -> AnySignal<Int, TestFailure> {
        signal.mapError { $0 as? TestFailure ?? TestFailure(stringLiteral: "another failure: \($0)") }
            .eraseToAnySignal()
    }
}
