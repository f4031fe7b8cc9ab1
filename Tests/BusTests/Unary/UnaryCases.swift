import Bus
import BusTesting

extension UnaryCase {
    static let all = transforming + choosing + ending + reducing

    private static let over: [ContractPromise: String] = [.losses: "it is over when they come"]

    static let transforming = [
        UnaryCase("map", one: "10 |", many: "10 20 30 40 |", midway: "10 20 x") { $0.map { $0 * 10 } },
        UnaryCase("map", one: "1 |", many: "1 10 11 100 |", midway: "1 10 x") {
            $0.map { String($0, radix: 2) }.map(\.self)
        },
        UnaryCase("replaceValues(with: a)", one: "a |", many: "a a a a |", midway: "a a x") {
            $0.replaceValues(with: "a")
        },
        UnaryCase("compactMap", one: "|", many: "2 4 |", midway: "2 x") { $0.compactMap { $0 % 2 == 0 ? $0 : nil } },
        UnaryCase("scan", one: "1 |", many: "1 3 6 10 |", midway: "1 3 x") { $0.scan(0) { $0 &+ $1 } },
        UnaryCase("scan(into:)", one: "1 |", many: "1 3 6 10 |", midway: "1 3 x") { $0.scan(into: 0) { $0 &+= $1 } },
        UnaryCase("pairwise", one: "|", many: "1,2 2,3 3,4 |", midway: "1,2 x") {
            $0.pairwise().transduced(by: Printed { "\($0.previous),\($0.current)" })
        },
        UnaryCase("enumerated", one: "0:1 |", many: "0:1 1:2 2:3 3:4 |", midway: "0:1 1:2 x") {
            $0.enumerated().transduced(by: Printed { "\($0.offset):\($0.element)" })
        },
        UnaryCase("collect(count: 3)", one: "[1] |", many: "[1, 2, 3] [4] |", midway: "x") { $0.collect(count: 3) },
        UnaryCase("materialize → dematerialize", one: "1 |", many: "1 2 3 4 |", midway: "1 2 x") {
            $0.materialize().dematerialize()
        },
        UnaryCase(
            "materialize → promoteFailure(to: TestFailure)",
            empty: "completed |",
            one: "next(1) completed |",
            many: "next(1) next(2) next(3) next(4) completed |",
            failing: "failed(x) |",
            midway: "next(1) next(2) failed(x) |"
        ) {
            $0.materialize().promoteFailure(to: TestFailure.self)
        },
        UnaryCase("attemptMap", one: "10 |", many: "10 20 3 is too much", midway: "10 20 x") {
            $0.attemptMap { value throws(TestFailure) in
                if value == 3 { throw "3 is too much" as TestFailure }
                return value * 10
            }
        },
    ]

    static let choosing = [
        UnaryCase("filter", one: "|", many: "2 4 |", midway: "2 x") { $0.filter { $0 % 2 == 0 } },
        UnaryCase("ignore(2)", one: "1 |", many: "1 3 4 |", midway: "1 x") { $0.ignore(2) },
        UnaryCase("removeDuplicates", one: "1 |", many: "1 2 3 4 |", midway: "1 2 x") { $0.removeDuplicates() },
        UnaryCase("removeDuplicates", one: "1 |", many: "1 3 |", midway: "1 x") {
            $0.removeDuplicates { $1 - $0 < 2 }
        },
        UnaryCase("unique(limit: 9)", one: "1 |", many: "1 2 3 4 |", midway: "1 2 x") { $0.unique(limit: 9) },
        UnaryCase("unique(limit: 9)", one: "1 |", many: "1 2 |", midway: "1 2 x") { $0.unique(limit: 9) { $0 % 2 } },
        UnaryCase("skip(first: 1)", one: "|", many: "2 3 4 |", midway: "2 x") { $0.skip(first: 1) },
        UnaryCase("skip(first: 0)", one: "1 |", many: "1 2 3 4 |", midway: "1 2 x") { $0.skip(first: 0) },
        UnaryCase(
            "skip(last: 1)",
            except: [.losses: "a loss waits with the value before it"],
            one: "|",
            many: "1 2 3 |",
            midway: "1 x"
        ) {
            $0.skip(last: 1)
        },
        UnaryCase("skip(last: 0)", one: "1 |", many: "1 2 3 4 |", midway: "1 2 x") { $0.skip(last: 0) },
        UnaryCase("skip(while:)", one: "|", many: "2 3 4 |", midway: "2 x") { $0.skip(while: { $0 == 1 }) },
        UnaryCase("skip(until:)", one: "|", many: "2 3 4 |", midway: "2 x") { $0.skip(until: { $0 == 2 }) },
    ]

    /// The operators that end before their source does. All of them end with the second or third value.
    static let ending = [
        UnaryCase("take(first: 2)", one: "1 |", many: "1 2 |", midway: "1 2 |") { $0.take(first: 2) },
        UnaryCase("take(while:)", one: "1 |", many: "1 2 |", midway: "1 2 x") { $0.take(while: { $0 < 3 }) },
        UnaryCase("take(until:)", one: "1 |", many: "1 2 |", midway: "1 2 x") { $0.take(until: { $0 > 2 }) },
        UnaryCase("take(until:includingMatch:)", one: "1 |", many: "1 2 3 |", midway: "1 2 x") {
            $0.take(until: { $0 > 2 }, includingMatch: true)
        },
        UnaryCase("first", except: over, one: "1 |", many: "1 |", midway: "1 |") { $0.first() },
        UnaryCase("filter → first", one: "|", many: "2 |", midway: "2 |") { $0.first(where: { $0 > 1 }) },
        UnaryCase("element(at: 1)", one: "|", many: "2 |", midway: "2 |") { $0.element(at: 1) },
    ]

    static let reducing = [
        UnaryCase(
            "take(last: 2)",
            except: [.losses: "a loss waits with the value before it, for the end"],
            one: "1 |",
            many: "3 4 |",
            midway: "x"
        ) {
            $0.take(last: 2)
        },
        UnaryCase("last", one: "1 |", many: "4 |", midway: "x") { $0.last() },
        UnaryCase("filter → last", one: "1 |", many: "2 |", midway: "x") {
            $0.last(where: { $0 < 3 })
        },
        UnaryCase("single", except: over, most: 1, one: "1 |", many: "|", midway: "|") { $0.single() },
        UnaryCase(
            "single",
            except: over,
            most: 1,
            empty: "noValue",
            one: "1 |",
            many: "severalValues",
            midway: "severalValues"
        ) {
            $0.single(orFail: { $0 == .noValue ? "noValue" : "severalValues" })
        },
        UnaryCase("reduce", empty: "0 |", one: "1 |", many: "10 |", midway: "x") {
            $0.reduce(0) { $0 &+ $1 }
        },
        UnaryCase(
            "reduce(into:)",
            empty: "[] |",
            one: "[1] |",
            many: "[1, 2, 3, 4] |",
            midway: "x"
        ) {
            $0.reduce(into: [Int]()) { $0.append($1) }
        },
        UnaryCase(
            "collect(limit: 3)",
            except: [.resuming: "what exceeds its limit is lost, as it was told to"],
            empty: "[] |",
            one: "[1] |",
            many: "[1, 2, 3] |",
            midway: "x"
        ) {
            $0.collect(limit: 3)
        },
        UnaryCase("count", empty: "0 |", one: "1 |", many: "4 |", midway: "x") { $0.count() },
        UnaryCase("min", one: "1 |", many: "1 |", midway: "x") { $0.min() },
        UnaryCase("max", one: "1 |", many: "4 |", midway: "x") { $0.max() },
        UnaryCase("min", one: "1 |", many: "4 |", midway: "x") { $0.min { $0 > $1 } },
        UnaryCase("max", one: "1 |", many: "1 |", midway: "x") { $0.max { $0 > $1 } },
        UnaryCase("contains", empty: "false |", one: "false |", many: "true |", midway: "x") {
            $0.contains(3)
        },
        UnaryCase(
            "contains(where:)",
            empty: "false |",
            one: "false |",
            many: "true |",
            midway: "true |"
        ) {
            $0.contains(where: { $0 > 1 })
        },
        UnaryCase("allSatisfy", empty: "true |", one: "true |", many: "false |", midway: "x") {
            $0.allSatisfy { $0 < 3 }
        },
        UnaryCase("replaceEmpty(with: 9)", empty: "9 |", one: "1 |", many: "1 2 3 4 |", midway: "1 2 x") {
            $0.replaceEmpty(with: 9)
        },
        UnaryCase(
            "ignoreValues → replaceEmpty(with: 9)",
            empty: "9 |",
            one: "9 |",
            many: "9 |",
            midway: "x"
        ) {
            $0.ignoreValues(as: Int.self).replaceEmpty(with: 9)
        },
    ]
}
