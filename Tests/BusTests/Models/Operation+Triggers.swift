import Bus
import BusTesting

extension Operation {
    static let triggers: [Kind] = [
        Kind("take(until: signal)") { _ in
            Operation(
                "take(until:)",
                inputs: 2,
                asks: true,
                build: { $0[0].take(until: $0[1].quiet()) },
                means: { inputs, subscribing in
                    // The trigger is subscribed to first. Anything it sends, including its end, is the end.
                    let trigger = inputs[1].heard(subscribing.then(0)).quieted
                    let notes = inputs[0].heard(subscribing.then(1))
                    guard let first = trigger.first else { return notes }
                    // No value passes after that. The completion follows when the trigger's source has released what it
                    // held. It comes earlier if the source itself ends, on its own or because its next value is
                    // answered with stop. A sender that asks only after that does not begin, so its own end is not heard.
                    let end = first.isEnd ? first : trigger.completion(afterStopAt: 0)
                    var ends = notes.filter { $0.isEnd && $0.moment > first.moment }.map { end in
                        end.release(unwanted: first.moment).map { Note($0, .completed) } ?? end
                    }
                    if let next = notes.firstIndex(where: { !$0.isEnd && $0.moment > first.moment }) {
                        ends.append(notes.completion(afterStopAt: next, unwanted: first.moment))
                    }
                    return (notes.before(first.moment) + ends + [end]).inOrder()
                }
            )
        },
        Kind("take(untilReplacement:)") { _ in
            Operation(
                "take(untilReplacement:)",
                inputs: 2,
                build: { $0[0].take(untilReplacement: $0[1]) },
                means: { inputs, subscribing in
                    let replacement = inputs[1].heard(subscribing.then(0))
                    let notes = inputs[0].heard(subscribing.then(1)).filter { $0.event != .completed }
                    guard let first = replacement.first else { return notes }
                    return (notes.before(first.moment) + replacement).inOrder()
                }
            )
        },
        Kind("skip(until: signal)") { _ in
            Operation(
                "skip(until:)",
                inputs: 2,
                asks: true,
                build: { $0[0].skip(until: $0[1].quiet()) },
                means: { inputs, subscribing in
                    let first = inputs[1].heard(subscribing.then(0)).first
                    return inputs[0].heard(subscribing.then(1)).filter { note in
                        note.isEnd || first.map { $0.moment < note.moment } ?? false
                    }
                }
            )
        },
        Kind("withLatest(from:)") { _ in
            Operation(
                "withLatest(from:, 10a+b)",
                inputs: 2,
                build: { $0[0].withLatest(from: $0[1].quiet()).map { $0 &* 10 &+ $1 } },
                means: { inputs, subscribing in
                    let other = inputs[1].heard(subscribing.then(0))
                    return inputs[0].heard(subscribing.then(1)).compactMap { note in
                        guard let value = note.value else { return note }
                        guard let latest = other.before(note.moment).values.last else { return nil }
                        return note.with(.next(value &* 10 &+ latest))
                    }
                }
            )
        },
        Kind("sample(when:)") { _ in
            Operation(
                "sample(when:)",
                inputs: 2,
                build: { $0[0].sample(when: $0[1].quiet()) },
                means: { inputs, subscribing in
                    let notes = inputs[0].heard(subscribing.then(0))
                    let samples = inputs[1].heard(subscribing.then(1)).quieted.compactMap { note -> Note? in
                        if note.isEnd { return note }
                        return notes.before(note.moment).values.last.map { note.with(.next($0)) }
                    }
                    return (samples + notes.filter(\.isEnd)).inOrder()
                }
            )
        },
    ]
}

extension [Note] {
    /// The same without a failure: a failure completes it.
    fileprivate var quieted: [Note] { map { $0.isEnd ? $0.with(.completed) : $0 } }
}

extension Signal {
    /// The same signal without its failure: a failure completes it.
    fileprivate func quiet() -> some Signal<Value, Never> {
        materialize()
            .take(while: { event in
                if case .next = event { true } else { false }
            })
            .compactMap { event in
                if case .next(let value) = event { value } else { nil }
            }
    }
}
