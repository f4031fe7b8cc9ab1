import Bus
import BusTesting

/// An event that a subscriber hears in the model.
struct Note: Sendable {
    /// When it is heard.
    var moment: Moment
    /// When the sender, answered with `stop`, has released what it held and sends its end.
    var release: Moment
    var event: Event<Int, TestFailure>
    /// Before it sends anything, its sender may ask whether anything is wanted. If not, it does not begin.
    var question: Question?

    struct Question: Sendable {
        let moment: Moment
        /// When the sender, answered with `stop`, has released what it held.
        let release: Moment
    }

    init(_ moment: Moment, release: Moment? = nil, _ event: Event<Int, TestFailure>) {
        self.moment = moment
        self.release = release ?? moment.then(1)
        self.event = event
    }

    var value: Int? {
        if case .next(let value) = event { return value }
        return nil
    }

    var isEnd: Bool { value == nil }

    /// The same for a sender that asks first.
    func asking(_ question: Question) -> Note {
        var note = self
        note.question = question
        return note
    }

    /// If its sender asks after this moment, it does not begin; then this is when it has released what it held.
    func release(unwanted: Moment?) -> Moment? {
        guard let unwanted, let question, question.moment > unwanted else { return nil }
        return question.release
    }

    /// The same moment with another event.
    func with(_ event: Event<Int, TestFailure>) -> Note {
        var note = self
        note.event = event
        return note
    }
}

extension [Note] {
    var values: [Int] { compactMap(\.value) }

    var end: Note? { last.flatMap { $0.isEnd ? $0 : nil } }

    /// The events heard before a moment.
    func before(_ moment: Moment) -> [Note] { filter { $0.moment < moment } }

    /// In order, up to the first end.
    func inOrder() -> [Note] {
        let sorted = sorted { $0.moment < $1.moment }
        guard let end = sorted.firstIndex(where: \.isEnd) else { return sorted }
        return Array(sorted[...end])
    }

    /// The completion after the note at `index` is answered with `stop`. It comes when the note's sender has released
    /// what it held, or earlier from another sender that learns of the stop in between.
    ///
    /// - Parameter unwanted: the moment after which every sender that asks is told that nothing is wanted.
    func completion(afterStopAt index: Int, unwanted: Moment? = nil) -> Note {
        func answered(_ note: Note) -> Moment {
            note.release(unwanted: unwanted) ?? (note.isEnd ? note.moment : note.release)
        }
        var release = answered(self[index])
        for note in self[(index + 1)...] where note.moment < release {
            release = Swift.min(release, answered(note))
        }
        return Note(release, .completed)
    }

    /// Sends these values when the end is heard, and then the end itself.
    func ending(with values: [Int], at end: Note) -> [Note] {
        values.enumerated().map { Note(end.moment.then($0), .next($1)) } + [
            Note(end.moment.then(values.count), end.event)
        ]
    }
}
