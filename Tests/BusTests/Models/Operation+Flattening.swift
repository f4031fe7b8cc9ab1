import Bus
import BusTesting

extension Operation {
    static let flattening: [Kind] = [
        flatMap("flatMap(.merge)", .merge) { Meaning.flatMap($0, $1, atOnce: .max) },
        flatMap("flatMap(.merge(maxConcurrent: 2))", .merge(maxConcurrent: 2)) { Meaning.flatMap($0, $1, atOnce: 2) },
        flatMap("flatMap(.concat)", .concat) { Meaning.flatMap($0, $1, atOnce: 1) },
        flatMap("flatMap(.latest)", .latest, Meaning.latest),
        flatMap("flatMap(.first)", .first, Meaning.first),
        flatMap("flatMap(.race)", .race, Meaning.winner),
        kind("flatMapLatest", means: Meaning.latest) { inputs in inputs[0].flatMapLatest { inner($0, of: inputs) } },
        kind("switchToLatest", means: Meaning.latest) { inputs in
            inputs[0].map { inner($0, of: inputs) }.switchToLatest()
        },
        kind("flatten(.concat)", means: { Meaning.flatMap($0, $1, atOnce: 1) }) { inputs in
            inputs[0].map { inner($0, of: inputs) }.flatten(.concat)
        },
        Kind("groupBy") { _ in
            Operation(
                "groupBy(odd).flatMap(scan)",
                build: { signal in
                    signal.groupBy { $0 % 2 }.flatMap { group in group.scan(group.key) { $0 &* 10 &+ $1 } }
                },
                means: { notes in
                    var sums: [Int: Int] = [:]
                    return notes.map { note in
                        var sum = note.mapped { value in
                            sums[value % 2] = (sums[value % 2] ?? value % 2) &* 10 &+ value
                            return sums[value % 2] ?? 0
                        }
                        // Its sender is the group, which holds nothing.
                        if !sum.isEnd { sum.release = sum.moment.then(1) }
                        return sum
                    }
                }
            )
        },
    ]

    private static func flatMap(
        _ name: String,
        _ strategy: FlattenStrategy,
        _ meaning: @escaping @Sendable ([Model], Moment) -> [Note]
    ) -> Kind {
        kind(name, means: meaning) { inputs in inputs[0].flatMap(strategy) { inner($0, of: inputs) } }
    }

    private static func kind(
        _ name: String,
        means meaning: @escaping @Sendable ([Model], Moment) -> [Note],
        build: @escaping @Sendable ([Stream]) -> some Signal<Int, TestFailure>
    ) -> Kind {
        Kind(name) { generator in
            Operation(name, inputs: Int.random(in: 2...3, using: &generator), build: build, means: meaning)
        }
    }
}

/// The signal for a value: one of the inputs after the first, with its values shifted by the value.
@Sendable
private func inner(_ value: Int, of inputs: [Stream]) -> Stream {
    inputs[1 + Int(value.magnitude % UInt(inputs.count - 1))].map { $0 &+ value &* 100 }.eraseToAnySignal()
}

extension Meaning {
    /// What is heard of the signal for a value.
    private static func inner(_ note: Note, of inputs: [Model], from start: Moment? = nil) -> [Note] {
        let value = note.value ?? 0
        let index = 1 + Int(value.magnitude % UInt(inputs.count - 1))
        return inputs[index].heard((start ?? note.moment).then(0)).map { $0.mapped { $0 &+ value &* 100 } }
    }

    /// Each value starts a signal. At most this many run at once; the others are queued.
    static func flatMap(_ inputs: [Model], _ subscribing: Moment, atOnce: Int) -> [Note] {
        let outer = inputs[0].heard(subscribing.then(0))
        var inners: [[Note]] = []
        for note in outer where !note.isEnd {
            // Each completion allows one more to start.
            let completions = inners.compactMap(\.end).filter { $0.event == .completed }.map(\.moment).sorted()
            let waiting = inners.count - atOnce
            guard waiting < completions.count else { break }
            inners.append(inner(note, of: inputs, from: waiting < 0 ? nil : max(note.moment, completions[waiting])))
        }
        // Values that are never started keep the result from completing.
        let allStarted = inners.count == outer.values.count
        return merged([outer.filter(\.isEnd)] + inners + (allStarted ? [] : [[]]), emptyAt: subscribing)
    }

    /// Each value ends the previous signal and starts its own.
    @Sendable
    static func latest(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        latest(inputs, subscribing, of: { inner($0, of: inputs) })
    }

    /// Each value ends the previous signal and starts the one chosen for it.
    static func latest(_ inputs: [Model], _ subscribing: Moment, _ choose: (Note) -> Model) -> [Note] {
        latest(inputs, subscribing, of: { choose($0).heard($0.moment.then(0)) })
    }

    private static func latest(_ inputs: [Model], _ subscribing: Moment, of inner: (Note) -> [Note]) -> [Note] {
        let outer = inputs[0].heard(subscribing.then(0))
        let starts = outer.filter { !$0.isEnd }
        let inners = starts.enumerated().map { index, note in
            // A signal that nobody wants any more is not even subscribed to.
            let question = Note.Question(moment: note.moment, release: note.release)
            let heard = inner(note).map { $0.asking(question) }
            return index + 1 < starts.count ? heard.before(starts[index + 1].moment) : heard
        }
        // Of the replaced signals, only what they sent counts.
        let replaced = inners.dropLast().joined().filter { $0.event != .completed }
        let last = inners.last.map { [$0] } ?? []
        return merged([outer.filter(\.isEnd)] + last, and: Array(replaced), emptyAt: subscribing)
    }

    /// Values that arrive while a signal runs are ignored.
    @Sendable
    static func first(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        let outer = inputs[0].heard(subscribing.then(0))
        var inners: [[Note]] = []
        for note in outer where !note.isEnd {
            let isBusy = inners.last.map { $0.end.map { $0.moment > note.moment } ?? true } ?? false
            if !isBusy { inners.append(inner(note, of: inputs)) }
        }
        return merged([outer.filter(\.isEnd)] + inners, emptyAt: subscribing)
    }

    /// Of the started signals, the first that sends anything.
    @Sendable
    static func winner(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        let outer = inputs[0].heard(subscribing.then(0))
        var winner: [Note] = []
        for note in outer {
            if let first = winner.first, first.moment < note.moment { break }
            // The source takes part by failing, and by ending before anything was started.
            let hasStarted = outer.first.map { $0.value != nil } ?? false
            let contender = note.value != nil ? inner(note, of: inputs) : [note]
            if note.event == .completed, hasStarted { continue }
            guard let first = contender.first else { continue }
            if winner.first.map({ first.moment < $0.moment }) ?? true { winner = contender }
        }
        return winner
    }
}
