import Bus
import BusTesting
import TestSupport

/// Draws chains at random.
struct TermGenerator {
    var random: SeededGenerator
    /// On a coarse time grid many events coincide, on a fine one nearly none.
    private let isCoarse: Bool
    private let hotSources: Int

    init(seed: UInt64) {
        random = SeededGenerator(seed)
        isCoarse = Bool.random(using: &random)
        hotSources = Int.random(in: 1...3, using: &random)
    }

    mutating func trial() -> Trial {
        let hot = (0..<hotSources).map { _ in script(isHot: true) }
        let depth = Int.random(in: 1...4, using: &random)
        let term = term(depth: depth, of: Operation.kinds) { $0.source() }
        let disposal = Int.random(in: 0..<3, using: &random) == 0 ? time(upTo: 12) : nil
        let stop = Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: 1...3, using: &random) : nil
        return Trial(hot: hot, term: term, disposal: disposal, stopAfter: stop)
    }

    mutating func term(depth: Int, of kinds: [Operation.Kind], over source: (inout Self) -> SourceTerm) -> Term {
        guard depth > 0, Int.random(in: 0..<8, using: &random) > 0 else { return .source(source(&self)) }
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        let operation = kind.make(&random)
        let inputs = (0..<operation.inputs).map { _ in term(depth: depth - 1, of: kinds, over: source) }
        return .applied(operation, kind: kind.name, inputs)
    }

    private mutating func source() -> SourceTerm {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: return .hot(Int.random(in: 0..<hotSources, using: &random))
        case 9..<15: return .cold(script(isHot: false))
        case 15..<18: return .sequence((0..<Int.random(in: 0...3, using: &random)).map { _ in value() })
        case 18: return .failure
        default: return .never
        }
    }

    private mutating func script(isHot: Bool) -> Script {
        var now = 0
        var events: [(time: Int, event: Event<Int, TestFailure>)] = []
        for _ in 0..<Int.random(in: 0...(isHot ? 6 : 4), using: &random) {
            now += time(upTo: isHot ? 3 : 2)
            events.append((now, .next(value())))
        }
        now += time(upTo: 2)
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<5: events.append((now, .completed))
        case 5..<7: events.append((now, .failed("broken")))
        default: break
        }
        return Script(events: events)
    }

    mutating func value() -> Int { Int.random(in: 0...9, using: &random) }

    private mutating func time(upTo steps: Int) -> Int {
        isCoarse ? 1000 * Int.random(in: 0...steps, using: &random) : Int.random(in: 0...(steps << 40), using: &random)
    }
}
