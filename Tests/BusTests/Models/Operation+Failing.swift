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
    ]
}
