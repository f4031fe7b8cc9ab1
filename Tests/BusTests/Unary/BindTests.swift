import Bus
import BusTesting
import Testing

/// ReactiveCocoa derives its operators from `bind`. No operator here is implemented with it, but all must behave as if
/// they were.
extension Signal {
    /// Replaces each value by a signal, until one is nil, and merges the signals.
    fileprivate func bind<Inner: Signal>(
        _ transform: @escaping @Sendable (Value) -> Inner?
    ) -> some Signal<Inner.Value, Failure> where Inner.Failure == Failure {
        map(transform).take(while: { $0 != nil }).compactMap(\.self).flatMap { $0 }
    }
}

@Suite("The laws of bind")
struct BindTests {
    private typealias Source = UnaryCase.Source
    private static let inputs = UnaryCase.inputs + ["2 1 3 1 2 |", "4 4 4 x"]

    private static func just(_ value: Int) -> Source {
        Signals.just(value, failure: TestFailure.self).eraseToAnySignal()
    }

    private static let empty: Source = Signals.empty(Int.self, failure: TestFailure.self).eraseToAnySignal()

    /// Signals of a value, including an empty one, one with several values and one that fails.
    private static let arrows: [@Sendable (Int) -> Source?] = [
        { just($0) },
        { just($0 &* 10) },
        { $0 % 2 == 0 ? empty : just($0) },
        { UnaryCase.source((0..<$0).map(String.init).joined(separator: " ") + " |") },
        { $0 == 3 ? UnaryCase.source("7 x") : just($0) },
        { $0 == 2 ? nil : just($0) },
    ]

    private static func said<S: Signal>(_ signal: S) -> [Event<S.Value, S.Failure>] { Recorder(signal).events }

    @Test func leftIdentity() {
        for arrow in Self.arrows {
            for value in 0...4 {
                #expect(Self.said(Self.just(value).bind(arrow)) == Self.said(arrow(value) ?? Self.empty))
            }
        }
    }

    @Test(arguments: inputs)
    func rightIdentity(_ input: String) {
        let source = UnaryCase.source(input)
        #expect(Self.said(source.bind { Self.just($0) }) == Self.said(source))
    }

    @Test(arguments: inputs)
    func associativity(_ input: String) {
        // Only for transforms that do not stop. A nil ends the innermost bind around it, so there the grouping matters.
        let arrows = Self.arrows.dropLast()
        for first in arrows {
            for second in arrows {
                let source = UnaryCase.source(input)
                let leftFirst = source.bind(first).bind(second)
                let rightFirst = source.bind { value in first(value)?.bind(second) }
                #expect(Self.said(leftFirst) == Self.said(rightFirst))
            }
        }
    }

    @Test(arguments: inputs)
    func operatorsAreWhatBindMakesOfThem(_ input: String) {
        let source = UnaryCase.source(input)
        #expect(Self.said(source.map { $0 + 1 }) == Self.said(source.bind { Self.just($0 + 1) }))
        #expect(Self.said(source.replaceValues(with: 7)) == Self.said(source.bind { _ in Self.just(7) }))
        #expect(Self.said(source.filter { $0 > 1 }) == Self.said(source.bind { $0 > 1 ? Self.just($0) : Self.empty }))
        #expect(Self.said(source.ignore(2)) == Self.said(source.bind { $0 == 2 ? Self.empty : Self.just($0) }))
        #expect(
            Self.said(source.compactMap { $0 % 2 == 0 ? $0 * 2 : nil })
                == Self.said(source.bind { $0 % 2 == 0 ? Self.just($0 * 2) : Self.empty })
        )
        #expect(
            Self.said(source.take(while: { $0 < 3 })) == Self.said(source.bind { $0 < 3 ? Self.just($0) : nil })
        )
        #expect(
            Self.said(source.take(until: { $0 == 3 })) == Self.said(source.bind { $0 == 3 ? nil : Self.just($0) })
        )
        #expect(
            Self.said(source.flatMap { UnaryCase.source("\($0) \($0) |") })
                == Self.said(source.bind { UnaryCase.source("\($0) \($0) |") })
        )
        #expect(
            Self.said(source.ignoreValues(as: Int.self)) == Self.said(source.bind { _ in Self.empty })
        )
    }
}
