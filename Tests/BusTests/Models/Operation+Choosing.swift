import Bus
import BusTesting

extension Operation {
    static let choosing: [Kind] = [
        Kind("filter") { _ in
            Operation(
                "filter(odd)",
                build: { $0.filter { $0 % 2 != 0 } },
                means: { $0.filter { $0.value.map { $0 % 2 != 0 } ?? true } }
            )
        },
        Kind("ignore") { generator in
            let unwanted = Int.random(in: 0...3, using: &generator)
            return Operation(
                "ignore(\(unwanted))",
                build: { $0.ignore(unwanted) },
                means: { $0.filter { $0.value != unwanted } }
            )
        },
        Kind("ignoreValues") { _ in
            Operation("ignoreValues", build: { $0.ignoreValues(as: Int.self) }, means: { $0.filter(\.isEnd) })
        },
        Kind("removeDuplicates") { _ in
            Operation(
                "thirds.removeDuplicates",
                build: { $0.map { $0 / 3 }.removeDuplicates() },
                means: { notes in
                    var last: Int?
                    return notes.map { $0.mapped { $0 / 3 } }.filter { note in
                        defer { last = note.value ?? last }
                        return note.isEnd || note.value != last
                    }
                }
            )
        },
        Kind("unique") { generator in
            let limit = Int.random(in: 1...3, using: &generator)
            return Operation(
                "unique(limit: \(limit)) of thirds",
                build: { $0.unique(limit: limit, by: { $0 / 3 }) },
                means: { notes in
                    var remembered: [Int] = []
                    return notes.filter { note in
                        guard let key = note.value.map({ $0 / 3 }) else { return true }
                        if remembered.contains(key) { return false }
                        remembered = (remembered + [key]).suffix(limit)
                        return true
                    }
                }
            )
        },
        Kind("take(first:)") { generator in
            let count = Int.random(in: 0...4, using: &generator)
            return Operation(
                "take(first: \(count))",
                inputs: 1,
                build: { $0[0].take(first: count) },
                means: { inputs, subscribing in
                    // If there is nothing to take, the source is not subscribed to.
                    if count == 0 { return [Note(subscribing, .completed)] }
                    return inputs[0].heard(subscribing).ended { index, _ in index == count - 1 }
                }
            )
        },
        Kind("take(while:)") { _ in
            Operation(
                "take(while: <5)",
                build: { $0.take(while: { $0 < 5 }) },
                means: { $0.ended(including: false) { $1 >= 5 } }
            )
        },
        Kind("take(until: predicate)") { generator in
            let including = Bool.random(using: &generator)
            return Operation(
                "take(until: ==3, includingMatch: \(including))",
                build: { $0.take(until: { $0 == 3 }, includingMatch: including) },
                means: { $0.ended(including: including) { $1 == 3 } }
            )
        },
        Kind("take(last:)") { generator in
            let count = Int.random(in: 1...3, using: &generator)
            return Operation(
                "take(last: \(count))",
                build: { $0.take(last: count) },
                means: { $0.told { $0.suffix(count) } }
            )
        },
        Kind("first") { _ in
            Operation("first()", build: { $0.first() }, means: { $0.ended { _, _ in true } })
        },
        Kind("first(where:)") { _ in
            Operation(
                "first(where: >2)",
                build: { $0.first(where: { $0 > 2 }) },
                means: { notes in notes.ended { $1 > 2 }.filter { $0.isEnd || ($0.value ?? 0) > 2 } }
            )
        },
        Kind("last") { _ in
            Operation("last()", build: { $0.last() }, means: { $0.told { $0.suffix(1) } })
        },
        Kind("element(at:)") { generator in
            let place = Int.random(in: 0...2, using: &generator)
            return Operation(
                "element(at: \(place))",
                build: { $0.element(at: place) },
                means: { notes in
                    let taken = notes.ended { index, _ in index == place }
                    return taken.enumerated().filter { $1.isEnd || $0 == place }.map(\.element)
                }
            )
        },
        Kind("single") { _ in
            Operation(
                "single()",
                build: { $0.single() },
                means: { notes in
                    guard notes.values.count > 1 else { return notes.told { $0 } }
                    return [notes.completion(afterStopAt: 1)]
                }
            )
        },
        Kind("skip(first:)") { generator in
            let count = Int.random(in: 0...3, using: &generator)
            return Operation(
                "skip(first: \(count))",
                build: { $0.skip(first: count) },
                means: { notes in notes.enumerated().filter { $1.isEnd || $0 >= count }.map(\.element) }
            )
        },
        Kind("skip(last:)") { generator in
            let count = Int.random(in: 0...2, using: &generator)
            return Operation(
                "skip(last: \(count))",
                build: { $0.skip(last: count) },
                means: { notes in
                    notes.enumerated().compactMap { index, note in
                        guard !note.isEnd else { return note }
                        return index >= count ? note.with(notes[index - count].event) : nil
                    }
                }
            )
        },
        Kind("skip(while:)") { _ in
            Operation("skip(while: <3)", build: { $0.skip(while: { $0 < 3 }) }, means: { $0.from { $0 >= 3 } })
        },
        Kind("skip(until: predicate)") { _ in
            Operation("skip(until: >=3)", build: { $0.skip(until: { $0 >= 3 }) }, means: { $0.from { $0 >= 3 } })
        },
    ]
}

extension [Note] {
    /// Takes values up to the first for which `isLast` is true, given its index. The source is stopped there.
    func ended(including: Bool = true, where isLast: (_ index: Int, _ value: Int) -> Bool) -> [Note] {
        for (index, note) in enumerated() {
            guard let value = note.value, isLast(index, value) else { continue }
            return self[..<(including ? index + 1 : index)] + [completion(afterStopAt: index)]
        }
        return self
    }

    /// A result known only at the completion. It is sent then. A signal that fails has none.
    func told(_ tell: ([Int]) -> [Int]) -> [Note] {
        guard let end else { return [] }
        return end.event == .completed ? ending(with: tell(values), at: end) : [end]
    }

    /// Takes values from the first that passes a test.
    func from(_ passes: (Int) -> Bool) -> [Note] {
        var isOpen = false
        return filter { note in
            if let value = note.value, passes(value) { isOpen = true }
            return isOpen || note.isEnd
        }
    }
}
