import Bus
import BusTesting

extension Operation {
    static let combining: [Kind] = [
        Kind("merge") { generator in
            let count = Int.random(in: 2...3, using: &generator)
            return Operation("merge", inputs: count, build: { Signals.merge($0) }, means: Meaning.merge)
        },
        Kind("concat") { generator in
            let count = Int.random(in: 2...3, using: &generator)
            return Operation("concat", inputs: count, build: { Signals.concat($0) }, means: Meaning.concat)
        },
        Kind("combineLatest") { _ in
            Operation(
                "combineLatest(10a+b)",
                inputs: 2,
                build: { $0[0].combineLatest($0[1]).map { $0 &* 10 &+ $1 } },
                means: { Meaning.combineLatest($0, $1) }
            )
        },
        Kind("combineLatest of several") { _ in
            Operation(
                "Signals.combineLatest(100a+10b+c)",
                inputs: 3,
                build: { inputs in
                    Signals.combineLatest(inputs[0], inputs[1], inputs[2]).map { ($0 &* 10 &+ $1) &* 10 &+ $2 }
                },
                means: { Meaning.combineLatest($0, $1) }
            )
        },
        Kind("combineLatest of a list") { generator in
            let count = Int.random(in: 1...3, using: &generator)
            return Operation(
                "Signals.combineLatest(list, decimal)",
                inputs: count,
                build: { Signals.combineLatest($0).map { $0.reduce(0) { $0 &* 10 &+ $1 } } },
                means: { Meaning.combineLatest($0, $1) }
            )
        },
        Kind("take(until: signal)") { _ in
            Operation(
                "take(until:)",
                inputs: 2,
                build: { $0[0].take(until: $0[1].quiet()) },
                means: { inputs, subscribing in
                    // The trigger is subscribed to first; whatever it says, its end included, is the end.
                    let trigger = inputs[1].heard(subscribing.then(0))
                    let notes = inputs[0].heard(subscribing.then(1))
                    guard let first = trigger.first else { return notes }
                    // No value passes from the trigger's on; the completion follows when the trigger's source has
                    // released what it held.
                    let end = first.isEnd ? Note(first.moment, .completed) : trigger.completion(afterStopAt: 0)
                    let passing = notes.before(first.moment)
                    let ends = notes.filter { $0.isEnd && $0.moment > first.moment }
                    return (passing + ends + [end]).inOrder()
                }
            )
        },
    ]
}

/// What operators over several signals mean; apart, because several of them are made of it.
enum Meaning {
    /// All are subscribed to in order; the end is the first failure, or the last completion.
    @Sendable
    static func merge(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        merged(inputs.enumerated().map { $1.heard(subscribing.then($0)) }, emptyAt: subscribing)
    }

    static func merged(_ heard: [[Note]], emptyAt moment: Moment) -> [Note] {
        let completions = heard.compactMap(\.end).filter { $0.event == .completed }.map(\.moment)
        let others = heard.joined().filter { $0.event != .completed }
        guard completions.count == heard.count else { return Array(others).inOrder() }
        return (others + [Note(completions.max() ?? moment, .completed)]).inOrder()
    }

    /// The latest value of each as one number, from the time on when each has one.
    static func combineLatest(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        var latest = [Int?](repeating: nil, count: inputs.count)
        var running = inputs.count
        return together(inputs, subscribing) { place, note in
            switch note.event {
            case .failed: return [note]
            case .completed:
                running -= 1
                return running == 0 || latest[place] == nil ? [note] : []
            case .next(let value):
                latest[place] = value
                let values = latest.compactMap { $0 }
                return values.count < inputs.count ? [] : [note.with(.next(values.reduce(0) { $0 &* 10 &+ $1 }))]
            }
        }
    }

    /// What all inputs say, in order, each note turned into what is sent at that; up to the first end.
    static func together(
        _ inputs: [Model],
        _ subscribing: Moment,
        _ step: (_ place: Int, _ note: Note) -> [Note]
    ) -> [Note] {
        let heard = inputs.enumerated().flatMap { place, input in
            input.heard(subscribing.then(place)).map { (place: place, note: $0) }
        }
        return heard.sorted { $0.note.moment < $1.note.moment }.flatMap { step($0.place, $0.note) }.inOrder()
    }

    /// Each is subscribed to when the one before has completed.
    @Sendable
    static func concat(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        var notes: [Note] = []
        var start = subscribing.then(0)
        for input in inputs {
            let heard = input.heard(start)
            guard let end = heard.end, end.event == .completed else { return notes + heard }
            notes += heard.dropLast()
            start = end.moment.then(0)
        }
        return notes + [Note(start, .completed)]
    }
}

extension Signal {
    /// The same signal without its failure, which completes it.
    func quiet() -> some Signal<Value, Never> {
        materialize()
            .take(while: { event in
                if case .next = event { true } else { false }
            })
            .compactMap { event in
                if case .next(let value) = event { value } else { nil }
            }
    }
}
