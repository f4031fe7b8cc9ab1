import Bus
import BusTesting

extension Operation {
    static let flattening: [Kind] = [
        Kind("flatMap") { generator in
            let inners = Int.random(in: 1...2, using: &generator)
            return Operation(
                "flatMap",
                inputs: inners + 1,
                build: { inputs in inputs[0].flatMap { inner($0, of: inputs) } },
                means: { Meaning.flatMap($0, $1, atOnce: .max) }
            )
        },
        Kind("flatMap(maxConcurrent:)") { generator in
            let inners = Int.random(in: 1...2, using: &generator)
            let atOnce = Int.random(in: 1...2, using: &generator)
            return Operation(
                "flatMap(maxConcurrent: \(atOnce))",
                inputs: inners + 1,
                build: { inputs in inputs[0].flatMap(maxConcurrent: atOnce) { inner($0, of: inputs) } },
                means: { Meaning.flatMap($0, $1, atOnce: atOnce) }
            )
        },
    ]
}

/// The signal that a value is turned into: one of the inputs after the first, its values shifted by the value.
private func inner(_ value: Int, of inputs: [Stream]) -> Stream {
    inputs[1 + value.magnitude.quotientAndRemainder(dividingBy: UInt(inputs.count - 1)).remainder.asInt]
        .map { $0 &+ value &* 100 }.eraseToAnySignal()
}

extension UInt {
    fileprivate var asInt: Int { Int(self) }
}

extension Meaning {
    /// What is heard of the signal that a value is turned into.
    static func inner(_ value: Int, of inputs: [Model], _ subscribing: Moment) -> [Note] {
        let index = 1 + Int(value.magnitude % UInt(inputs.count - 1))
        return inputs[index].heard(subscribing).map { $0.mapped { $0 &+ value &* 100 } }
    }

    /// Each value starts a signal; at most so many run at once, the others wait for their turn.
    static func flatMap(_ inputs: [Model], _ subscribing: Moment, atOnce: Int) -> [Note] {
        let outer = inputs[0].heard(subscribing.then(0))
        var inners: [[Note]] = []
        for note in outer {
            guard let value = note.value else { continue }
            // The moments from which on there is room, one for each inner signal that has completed.
            let completions = inners.compactMap(\.end).filter { $0.event == .completed }.map(\.moment).sorted()
            let waiting = inners.count - atOnce
            guard waiting >= 0 else {
                inners.append(inner(value, of: inputs, note.moment.then(0)))
                continue
            }
            guard waiting < completions.count else { break }
            let start = max(note.moment, completions[waiting])
            inners.append(inner(value, of: inputs, start.then(0)))
        }
        // Values that never get their turn keep the result from completing.
        let started = inners.count == outer.values.count
        let outerEnd = outer.filter(\.isEnd)
        return merged([outerEnd] + inners + (started ? [] : [[]]), emptyAt: subscribing)
    }
}
