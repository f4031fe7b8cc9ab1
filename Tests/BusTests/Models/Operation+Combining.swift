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
        Kind("zip") { _ in
            Operation(
                "zip(10a+b)",
                inputs: 2,
                build: { $0[0].zip($0[1]).map { $0 &* 10 &+ $1 } },
                means: Meaning.zip
            )
        },
        Kind("zip of several") { _ in
            Operation(
                "Signals.zip(100a+10b+c)",
                inputs: 3,
                build: { Signals.zip($0[0], $0[1], $0[2]).map { ($0 &* 10 &+ $1) &* 10 &+ $2 } },
                means: Meaning.zip
            )
        },
        Kind("zip of a list") { generator in
            let count = Int.random(in: 1...3, using: &generator)
            return Operation(
                "Signals.zip(list, decimal)",
                inputs: count,
                build: { Signals.zip($0).map { $0.reduce(0) { $0 &* 10 &+ $1 } } },
                means: Meaning.zip
            )
        },
        Kind("race") { generator in
            let count = Int.random(in: 2...3, using: &generator)
            return Operation("race", inputs: count, build: { Signals.race($0) }, means: Meaning.race)
        },
        Kind("race of two") { _ in
            Operation("race", inputs: 2, build: { $0[0].race($0[1]) }, means: Meaning.race)
        },
        Kind("prepend") { _ in
            Operation(
                "prepend(6, 7)",
                inputs: 1,
                build: { $0[0].prepend(6, 7) },
                means: { Meaning.concat([.values(6, 7), $0[0]], $1) }
            )
        },
        Kind("append") { _ in
            Operation(
                "append(6, 7)",
                inputs: 1,
                build: { $0[0].append(6, 7) },
                means: { Meaning.concat([$0[0], .values(6, 7)], $1) }
            )
        },
        Kind("then") { _ in
            Operation(
                "then",
                inputs: 2,
                build: { $0[0].then($0[1]) },
                means: { inputs, subscribing in
                    let first = Model { inputs[0].heard($0).filter(\.isEnd) }
                    return Meaning.concat([first, inputs[1]], subscribing)
                }
            )
        },
        Kind("and") { _ in
            Operation(
                "odd.and(odd)",
                inputs: 2,
                build: { $0[0].map { $0 % 2 != 0 }.and($0[1].map { $0 % 2 != 0 }).map { $0 ? 1 : 0 } },
                means: { Meaning.combineLatest($0, $1) { $0.allSatisfy { $0 % 2 != 0 } ? 1 : 0 } }
            )
        },
        Kind("or") { _ in
            Operation(
                "odd.or(odd).not",
                inputs: 2,
                build: { $0[0].map { $0 % 2 != 0 }.or($0[1].map { $0 % 2 != 0 }).not().map { $0 ? 1 : 0 } },
                means: { Meaning.combineLatest($0, $1) { $0.contains { $0 % 2 != 0 } ? 0 : 1 } }
            )
        },
        Kind("if") { _ in
            Operation(
                "if(odd)",
                inputs: 3,
                build: { inputs in
                    Signals.if(inputs[0].map { $0 % 2 != 0 }, then: inputs[1], else: inputs[2])
                },
                means: { inputs, subscribing in
                    Meaning.latest(inputs, subscribing) { note in inputs[(note.value ?? 0) % 2 != 0 ? 1 : 2] }
                }
            )
        },
        Kind("switch") { _ in
            Operation(
                "switch(thirds)",
                inputs: 3,
                build: { inputs in
                    Signals.switch(on: inputs[0].map { $0 % 3 }, cases: [0: inputs[1]], default: inputs[2])
                },
                means: { inputs, subscribing in
                    Meaning.latest(inputs, subscribing) { note in inputs[(note.value ?? 0) % 3 == 0 ? 1 : 2] }
                }
            )
        },
    ]
}

/// The meaning of operators over several signals. These are separate because several operators use them.
enum Meaning {
    /// All are subscribed to in order. The end is the first failure or the last completion.
    @Sendable
    static func merge(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        merged(inputs.enumerated().map { $1.heard(subscribing.then($0)) }, emptyAt: subscribing)
    }

    /// - Parameter values: additional values that are heard. Their end does not count.
    static func merged(_ heard: [[Note]], and values: [Note] = [], emptyAt moment: Moment) -> [Note] {
        let completions = heard.compactMap(\.end).filter { $0.event == .completed }.map(\.moment)
        let others = heard.joined().filter { $0.event != .completed } + values
        guard completions.count == heard.count else { return others.inOrder() }
        return (others + [Note(completions.max() ?? moment, .completed)]).inOrder()
    }

    /// Pairs first values with first, second with second, until one input has ended and all its values are used.
    @Sendable
    static func zip(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        var lines = [[Int]](repeating: [], count: inputs.count)
        var ended = [Bool](repeating: false, count: inputs.count)
        let heard = heardTogether(inputs, subscribing)
        var notes: [Note] = []
        for (index, (place, note)) in heard.enumerated() {
            switch note.event {
            case .failed: return notes + [note]
            case .completed:
                ended[place] = true
                if lines[place].isEmpty { return notes + [note] }
            case .next(let value):
                lines[place].append(value)
                guard lines.allSatisfy({ !$0.isEmpty }) else { continue }
                notes.append(note.with(.next(lines.reduce(0) { $0 &* 10 &+ $1[0] })))
                lines = lines.map { Array($0.dropFirst()) }
                let isOver = Swift.zip(lines, ended).contains { $0.isEmpty && $1 }
                if isOver { return notes + [heard.map(\.note).completion(afterStopAt: index)] }
            }
        }
        return notes
    }

    /// The first signal to send anything.
    @Sendable
    static func race(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        let heard = inputs.enumerated().map { $1.heard(subscribing.then($0)) }.filter { !$0.isEmpty }
        return heard.min { $0[0].moment < $1[0].moment } ?? []
    }

    /// The latest value of each as one number, once each has one.
    static func combineLatest(
        _ inputs: [Model],
        _ subscribing: Moment,
        _ joined: ([Int]) -> Int = { $0.reduce(0) { $0 &* 10 &+ $1 } }
    ) -> [Note] {
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
                return values.count < inputs.count ? [] : [note.with(.next(joined(values)))]
            }
        }
    }

    /// The notes of all inputs in order, each turned into what is sent for it, up to the first end.
    static func together(
        _ inputs: [Model],
        _ subscribing: Moment,
        _ step: (_ place: Int, _ note: Note) -> [Note]
    ) -> [Note] {
        heardTogether(inputs, subscribing).flatMap { step($0.place, $0.note) }.inOrder()
    }

    /// The notes of all inputs in order.
    static func heardTogether(_ inputs: [Model], _ subscribing: Moment) -> [(place: Int, note: Note)] {
        inputs.enumerated().flatMap { place, input in
            input.heard(subscribing.then(place)).map { (place: place, note: $0) }
        }
        .sorted { $0.note.moment < $1.note.moment }
    }

    /// Each is subscribed to when the previous one has completed.
    @Sendable
    static func concat(_ inputs: [Model], _ subscribing: Moment) -> [Note] {
        var notes: [Note] = []
        var start = subscribing.then(0)
        for input in inputs {
            let heard = input.heard(start)
            guard let end = heard.end, end.event == .completed else { return notes + heard }
            notes += heard.dropLast()
            start = start.successor(endingAt: end.moment)
        }
        return notes + [Note(start, .completed)]
    }
}

extension Model {
    /// Some values and a completion, at once.
    static func values(_ values: Int...) -> Model {
        .cold(Script(events: values.map { (0, .next($0)) } + [(0, .completed)]))
    }
}
