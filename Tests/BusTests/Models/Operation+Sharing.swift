import Bus
import BusTesting

extension Operation {
    static let sharing: [Kind] = [
        Kind("share") { generator in
            let count = Int.random(in: 0...2, using: &generator)
            let lasts = Bool.random(using: &generator)
            return Operation(
                "share(replay: \(count), while: \(lasts ? ".forever" : ".whileConnected")) heard by two",
                inputs: 1,
                build: { inputs in
                    let source = inputs[0]
                    return Signals.deferred {
                        let shared = source.share(replay: count, while: lasts ? .forever : .whileConnected)
                        return shared.merge(shared.map { $0 &+ 1000 })
                    }
                },
                means: { Meaning.shared($0[0], $1, replay: count, lasts: lasts) }
            )
        }
    ]
}

extension Meaning {
    /// One subscription shared by two subscribers. The second subscribes once the first has been admitted.
    static func shared(_ input: Model, _ subscribing: Moment, replay count: Int, lasts: Bool) -> [Note] {
        let late = subscribing.then(1)
        let heard = input.heard(subscribing.then(0))
        let early = heard.before(late)
        let first = heard.map { Note($0.moment.then(0), release: $0.moment.then(2), $0.event) }

        let second: [Note]
        if early.end != nil, !lasts {
            second = input.heard(late)
        } else {
            let replayed = early.values.suffix(count).map { Event<Int, TestFailure>.next($0) }
            let known = replayed + (early.end.map { [$0.event] } ?? [])
            let following = heard[early.count...]
            second =
                known.enumerated().map { Note(late.then($0), $1) }
                + following.map { Note($0.moment.then(1), release: $0.moment.then(2), $0.event) }
        }
        return merged([first, second.map { $0.mapped { $0 &+ 1000 } }], emptyAt: subscribing)
    }
}
