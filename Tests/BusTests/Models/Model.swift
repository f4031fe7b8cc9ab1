/// What a signal means: what one hears who subscribes to it at a moment. Slow, and as obvious as possible.
struct Model: Sendable {
    let heard: @Sendable (_ subscribing: Moment) -> [Note]

    init(_ heard: @escaping @Sendable (_ subscribing: Moment) -> [Note]) {
        self.heard = heard
    }

    /// The same, of senders that begin without asking.
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
