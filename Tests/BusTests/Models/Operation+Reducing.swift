import Bus
import BusTesting

extension Operation {
    static let reducing: [Kind] = [
        Kind("reduce") { _ in
            Operation("reduce(+)", build: { $0.reduce(0) { $0 &+ $1 } }, means: { $0.told { [$0.reduce(0, &+)] } })
        },
        Kind("reduce(into:)") { _ in
            Operation(
                "reduce(into: +)",
                build: { $0.reduce(into: 0) { $0 = $0 &+ $1 } },
                means: { $0.told { [$0.reduce(0, &+)] } }
            )
        },
        Kind("collect") { _ in
            Operation(
                "collect(digits)",
                build: { $0.collect().map(digits) },
                means: { $0.told { [digits($0)] } }
            )
        },
        Kind("collect(count:)") { generator in
            let count = Int.random(in: 1...3, using: &generator)
            return Operation(
                "collect(count: \(count), digits)",
                build: { $0.collect(count: count).map(digits) },
                means: { notes in
                    var group: [Int] = []
                    return notes.flatMap { note -> [Note] in
                        guard let value = note.value else {
                            let rest = note.event == .completed && !group.isEmpty ? [digits(group)] : []
                            return rest.isEmpty ? [note] : notes.ending(with: rest, at: note)
                        }
                        group.append(value)
                        guard group.count == count else { return [] }
                        defer { group = [] }
                        return [note.with(.next(digits(group)))]
                    }
                }
            )
        },
        Kind("count") { _ in
            Operation("count()", build: { $0.count() }, means: { $0.told { [$0.count] } })
        },
        Kind("min") { _ in
            Operation("min()", build: { $0.min() }, means: { $0.told { $0.min().map { [$0] } ?? [] } })
        },
        Kind("max") { _ in
            Operation("max()", build: { $0.max() }, means: { $0.told { $0.max().map { [$0] } ?? [] } })
        },
        Kind("contains") { _ in
            Operation(
                "contains(>4)",
                build: { $0.contains(where: { $0 > 4 }).map { $0 ? 1 : 0 } },
                means: { $0.settled(1, else: 0) { $0 > 4 } }
            )
        },
        Kind("allSatisfy") { _ in
            Operation(
                "allSatisfy(<6)",
                build: { $0.allSatisfy { $0 < 6 }.map { $0 ? 1 : 0 } },
                means: { $0.settled(0, else: 1) { $0 >= 6 } }
            )
        },
        Kind("replaceEmpty") { _ in
            Operation(
                "replaceEmpty(with: 9)",
                build: { $0.replaceEmpty(with: 9) },
                means: { notes in
                    guard notes.count == 1, let end = notes.end, end.event == .completed else { return notes }
                    return notes.ending(with: [9], at: end)
                }
            )
        },
    ]
}

/// A list as one number that depends on its order.
@Sendable
private func digits(_ values: [Int]) -> Int { values.reduce(7) { $0 &* 10 &+ $1 } }

extension [Note] {
    /// One result. It is sent with the first value that decides it, otherwise at the completion.
    fileprivate func settled(_ answer: Int, else other: Int, by settles: (Int) -> Bool) -> [Note] {
        guard let index = firstIndex(where: { $0.value.map(settles) ?? false }) else { return told { _ in [other] } }
        return [self[index].with(.next(answer)), completion(afterStopAt: index)]
    }
}
