import Bus
import BusTesting

extension Operation {
    static let transforming: [Kind] = [
        Kind("map") { _ in
            Operation("map(+1)", build: { $0.map { $0 + 1 } }, means: { $0.map { $0.mapped { $0 + 1 } } })
        },
        Kind("replaceValues(with:)") { _ in
            Operation(
                "replaceValues(with: 5)",
                build: { $0.replaceValues(with: 5) },
                means: { $0.map { $0.mapped { _ in 5 } } }
            )
        },
        Kind("compactMap") { _ in
            Operation(
                "compactMap(thirds)",
                build: { $0.compactMap { $0 % 3 == 0 ? $0 / 3 : nil } },
                means: { notes in
                    notes.filter { $0.value.map { $0 % 3 == 0 } ?? true }.map { $0.mapped { $0 / 3 } }
                }
            )
        },
        Kind("scan") { _ in
            Operation("scan(+)", build: { $0.scan(0) { $0 &+ $1 } }, means: \.sums)
        },
        Kind("scan(into:)") { _ in
            Operation("scan(into: +)", build: { $0.scan(into: 0) { $0 = $0 &+ $1 } }, means: \.sums)
        },
        Kind("pairwise") { _ in
            Operation(
                "pairwise(10a+b)",
                build: { $0.pairwise().map { $0.previous &* 10 &+ $0.current } },
                means: { notes in
                    zip(notes, notes.dropFirst()).map { previous, note in
                        note.mapped { (previous.value ?? 0) &* 10 &+ $0 }
                    } + (notes.count == 1 && notes[0].isEnd ? notes : [])
                }
            )
        },
        Kind("enumerated") { _ in
            Operation(
                "enumerated(a+100i)",
                build: { $0.enumerated().map { $0.element &+ 100 * $0.offset } },
                means: { notes in notes.enumerated().map { index, note in note.mapped { $0 &+ 100 * index } } }
            )
        },
        Kind("materialize") { _ in
            Operation(
                "materialize.dematerialize",
                build: { $0.materialize().dematerialize() },
                means: { notes in
                    guard let end = notes.end else { return notes }
                    // The event for the end is sent when the source's end is heard. It is answered with stop.
                    return notes.dropLast() + [Note(end.moment.then(1), end.event)]
                }
            )
        },
        Kind("materialize as values") { _ in
            Operation(
                "materialize.map(1000 for ends)",
                build: { signal in
                    signal.materialize().map { event in
                        if case .next(let value) = event { value } else { 1000 }
                    }
                    .promoteFailure(to: TestFailure.self)
                },
                means: { notes in
                    guard let end = notes.end else { return notes }
                    return notes.dropLast() + notes.ending(with: [1000], at: Note(end.moment, .completed))
                }
            )
        },
    ]
}

extension Note {
    /// The same note with another value, if it is a value.
    func mapped(_ transform: (Int) -> Int) -> Note {
        value.map { with(.next(transform($0))) } ?? self
    }
}

extension [Note] {
    var sums: [Note] {
        var sum = 0
        return map { note in
            note.mapped { value in
                sum = sum &+ value
                return sum
            }
        }
    }
}
