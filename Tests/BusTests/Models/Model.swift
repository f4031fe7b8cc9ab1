/// The meaning of a signal: what a subscriber hears that subscribes at a given moment. Slow, and as obvious as
/// possible.
struct Model: Sendable {
    let heard: @Sendable (_ subscribing: Moment) -> [Note]

    init(_ heard: @escaping @Sendable (_ subscribing: Moment) -> [Note]) {
        self.heard = heard
    }

    /// The same for senders that begin without asking.
    var unquestioning: Model {
        Model { subscribing in
            heard(subscribing).map { note in
                var note = note
                note.question = nil
                return note
            }
        }
    }
}
