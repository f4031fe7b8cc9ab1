import Bus
import BusTesting

extension Operation {
    static let failing: [Kind] = [
        Kind("mapError") { _ in
            Operation(
                "mapError",
                build: { $0.mapError { TestFailure(stringLiteral: "\($0)'") } },
                means: { notes in
                    notes.map { note in
                        guard case .failed(let failure) = note.event else { return note }
                        return note.with(.failed(TestFailure(stringLiteral: "\(failure)'")))
                    }
                }
            )
        },
        Kind("attemptMap") { _ in
            Operation(
                "attemptMap(!=4)",
                build: { signal in
                    signal.attemptMap { value throws(TestFailure) in
                        if value == 4 { throw TestFailure("four") }
                        return value
                    }
                },
                means: { notes in
                    guard let index = notes.firstIndex(where: { $0.value == 4 }) else { return notes }
                    let end = notes.completion(afterStopAt: index)
                    return notes[..<index] + [Note(end.moment, .failed("four"))]
                }
            )
        },
        Kind("replaceError") { _ in
            Operation(
                "replaceError(with: 8)",
                build: { $0.replaceError(with: 8).promoteFailure(to: TestFailure.self) },
                means: { notes in
                    guard let end = notes.end, end.event != .completed else { return notes }
                    return notes.dropLast() + notes.ending(with: [8], at: Note(end.moment, .completed))
                }
            )
        },
        Kind("catch") { _ in
            Operation(
                "catch",
                inputs: 2,
                build: { inputs in inputs[0].catch { _ in inputs[1] } },
                means: { inputs, subscribing in
                    let start = subscribing.then(0)
                    let heard = inputs[0].heard(start)
                    guard let end = heard.end, end.event != .completed else { return heard }
                    return heard.dropLast() + inputs[1].heard(start.successor(endingAt: end.moment))
                }
            )
        },
        Kind("retry") { generator in
            let times = Int.random(in: 0...2, using: &generator)
            return Operation(
                "retry(\(times))",
                inputs: 1,
                build: { $0[0].retry(times) },
                means: { Meaning.rounds($0[0], $1) { round, end in round < times && end != .completed } }
            )
        },
        Kind("retry(when:)") { generator in
            let times = Int.random(in: 0...2, using: &generator)
            return Operation(
                "retry(when: fewer than \(times))",
                inputs: 1,
                build: { inputs in
                    inputs[0].retry(when: { failures in
                        failures.promoteFailure(to: TestFailure.self).enumerated().attemptMap {
                            failure throws(TestFailure) in
                            if failure.offset >= times { throw TestFailure("gave up") }
                        }
                    })
                },
                means: { inputs, subscribing in
                    let notes = Meaning.rounds(inputs[0], subscribing) { $0 < times && $1 != .completed }
                    guard let end = notes.end, end.event != .completed else { return notes }
                    return notes.dropLast() + [Note(end.moment, .failed("gave up"))]
                }
            )
        },
        Kind("repeat") { generator in
            let times = Int.random(in: 0...3, using: &generator)
            return Operation(
                "repeat(\(times))",
                inputs: 1,
                build: { $0[0].repeat(times) },
                means: { inputs, subscribing in
                    if times == 0 { return [Note(subscribing, .completed)] }
                    return Meaning.rounds(inputs[0], subscribing) { $0 < times - 1 && $1 == .completed }
                }
            )
        },
        Kind("on") { _ in
            Operation(
                "on.finally.named",
                build: { $0.on(next: { _ in }, completed: {}, disposed: {}).finally {}.named("name") },
                means: { $0 }
            )
        },
    ]
}

extension Meaning {
    /// Makes one subscription after the other while `goesOn` returns true for the round that ended.
    static func rounds(
        _ input: Model,
        _ subscribing: Moment,
        goesOn: (_ round: Int, _ end: Event<Int, TestFailure>) -> Bool
    ) -> [Note] {
        var notes: [Note] = []
        var start = subscribing.then(0)
        for round in 0... {
            let heard = input.heard(start)
            guard let end = heard.end, goesOn(round, end.event) else { return notes + heard }
            notes += heard.dropLast()
            start = start.successor(endingAt: end.moment)
        }
        return notes
    }
}
