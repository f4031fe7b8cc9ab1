import Bus
import BusTesting

extension Operation {
    static let delivering: [Kind] = [
        Kind("deliver(on:)") { _ in
            Operation("deliver(on: time)", inTime: { $0.deliver(on: $1) }, means: \.delivered)
        }
    ]
}

extension [Note] {
    /// The first event without a scheduled delivery schedules one. Events that come before that delivery are delivered
    /// with it.
    fileprivate var delivered: [Note] {
        var turn: (moment: Moment, count: Int)?
        return map { note in
            let begun = turn.flatMap { note.moment < $0.moment ? $0 : nil }
            let present = begun ?? (Moment(path: [note.moment.time, 1]).turn(of: note.moment), 0)
            turn = (present.moment, present.count + 1)
            return Note(present.moment.then(present.count), note.event)
        }
    }
}
