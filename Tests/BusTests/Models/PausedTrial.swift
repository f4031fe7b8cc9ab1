import Bus
import BusTesting

/// A chain of sources that can pause and an observer that pauses at random.
///
/// While it pauses, time passes for the chain. So only operators are drawn whose events do not depend on when each
/// input sends: all those over one signal, those that hear one input after the other, and a race between inputs that
/// begin at once. If nothing fails, also those that put each value in its own place, as `zip` does, because a failure
/// overtakes queued values. Not `merge`, `combineLatest`, `share`, `flatMap` with other strategies, nor operators with
/// a trigger.
struct PausedTrial: Sendable, CustomStringConvertible {
    var term: Term
    /// How many values are taken before each pause.
    var rooms: [Int]
    /// Whether virtual time runs on before each release.
    var runs: [Bool]

    /// What an observer hears that never pauses.
    var expected: [String] { term.model([]).heard(.start.then(0)).map { "\($0.event)" } }

    /// What is really heard, and violations that do not depend on the model.
    func run() -> (heard: [String], violations: [String]) {
        let world = World([])
        let signal = term.signal(world)
        var violations: [String] = []
        weak var leaked: PausingRecorder<Int, TestFailure>?
        let heard = {
            let recorder = PausingRecorder(signal, after: rooms[0])
            leaked = recorder
            var step = 0
            repeat {
                step += 1
                if runs[step % runs.count] || !recorder.isAwaited { world.time.run() }
                if !recorder.hasEnded { recorder.release(rooms[step % rooms.count]) }
            } while !recorder.hasEnded && (recorder.isAwaited || world.time.pendingCount > 0)
            world.time.run()
            if recorder.overrun > 0 { violations.append("\(recorder.overrun) values came while it paused") }
            if recorder.lost > 0 { violations.append("\(recorder.lost) values were lost") }
            if recorder.isAwaited { violations.append("a call is awaited after the end") }
            violations += recorder.violations
            recorder.dispose()
            return recorder.events.map { "\($0)" }
        }()
        return withExtendedLifetime((world, signal)) {
            if world.liveSubscriptions > 0 {
                violations.append("\(world.liveSubscriptions) sources are held after the end")
            }
            if leaked != nil { violations.append("the chain outlived its end") }
            if world.time.pendingCount > 0 { violations.append("\(world.time.pendingCount) timers are left") }
            return (heard, violations)
        }
    }

    /// A description of the violations.
    var difference: String? {
        let (expected, (heard, violations)) = (expected, run())
        guard heard != expected || !violations.isEmpty else { return nil }
        return """
                model: \(expected.joined(separator: " "))
                heard: \(heard.joined(separator: " "))
                \(violations.joined(separator: "; "))
            """
    }

    var description: String { "    \(term)\n    room for \(rooms), time runs on \(runs)\n" }

    /// The same trial, made smaller while it still fails.
    func shrunk() -> PausedTrial {
        var smallest = self
        while let smaller = smallest.term.smaller.lazy.map({ PausedTrial(term: $0, rooms: rooms, runs: runs) })
            .first(where: { $0.difference != nil })
        {
            smallest = smaller
        }
        return smallest
    }

    /// The operators that may be drawn where something may fail.
    static let kinds =
        Operation.transforming + Operation.choosing + Operation.reducing + Operation.delivering
        + Operation.failing + kinds(named: ["concat", "prepend", "append", "then", "race", "race of two"])

    /// The operators that may be drawn where nothing fails.
    static let kindsWithoutFailure =
        kinds.filter { !["attemptMap", "retry(when:)"].contains($0.name) }
        + kinds(named: ["zip", "zip of several", "zip of a list", "flatMap(.concat)", "flatten(.concat)", "groupBy"])

    private static func kinds(named names: Set<String>) -> [Operation.Kind] {
        Operation.kinds.filter { names.contains($0.name) }
    }
}

extension TermGenerator {
    mutating func pausedTrial() -> PausedTrial {
        let depth = Int.random(in: 1...5, using: &random)
        let mayFail = Bool.random(using: &random)
        let kinds = mayFail ? PausedTrial.kinds : PausedTrial.kindsWithoutFailure
        let term = term(depth: depth, of: kinds) { generator in
            if mayFail, Int.random(in: 0..<8, using: &generator.random) == 0 { return .failure }
            return .sequence((0..<Int.random(in: 0...12, using: &generator.random)).map { _ in generator.value() })
        }
        let rooms = (0..<5).map { _ in Int.random(in: 0...3, using: &random) } + [1]
        return PausedTrial(term: term, rooms: rooms, runs: (0..<3).map { _ in Bool.random(using: &random) } + [true])
    }
}
