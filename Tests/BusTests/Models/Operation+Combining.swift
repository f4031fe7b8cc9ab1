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
