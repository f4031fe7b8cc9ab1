import Bus

/// An item of the source with its number in the window, as a connection takes it.
enum ForwardWork: Sendable {
    /// Nothing is to be stored.
    case done(ForwardDone)
    case entry(number: UInt64, cursor: String, payload: [UInt8])
}

/// An item that was done, in any order.
struct ForwardDone: Sendable {
    /// `nil` if it concerns no entry.
    var number: UInt64?
    /// The number in the sink, if it has one.
    var sequence: UInt64?
    var news = Forwarder.News.passed
    var note: String?

    init(number: UInt64? = nil, sequence: UInt64? = nil, note: String? = nil) {
        self.number = number
        self.sequence = sequence
        self.note = note
    }

    /// An entry that has a receipt.
    init(_ receipt: ForwardReceipt, number: UInt64, cursor: String) {
        self.number = number
        switch receipt {
        case .stored(let sequence, let isDuplicate):
            self.sequence = sequence
            news = .stored(isDuplicate: isDuplicate)
        case .leftOut(let reason):
            news = .leftOut
            note = reason.map { "the entry \(cursor) is left out: \($0)" }
        }
    }
}

/// A connection that can pipeline entries, which costs less than a signal for each.
protocol ForwardPipelining: ForwardConnection {
    /// Stores entries in their order, at most so many at a time.
    ///
    /// - Returns: `nil` if they have to be stored one by one.
    func pipelined(
        _ works: AnySignal<ForwardWork, ForwardError>,
        maxPending: Int
    ) -> AnySignal<ForwardDone, ForwardError>?
}

extension ForwardConnection {
    /// Stores entries, at most so many at a time.
    func done(
        _ works: AnySignal<ForwardWork, ForwardError>,
        maxPending: Int
    ) -> AnySignal<ForwardDone, ForwardError> {
        if let done = (self as? any ForwardPipelining)?.pipelined(works, maxPending: maxPending) { return done }
        return works.flatMap(.merge(maxConcurrent: maxPending), limit: maxPending) {
            work -> AnySignal<ForwardDone, ForwardError> in
            switch work {
            case .done(let done): Signals.just(done).promoteFailure(to: ForwardError.self).eraseToAnySignal()
            case .entry(let number, let cursor, let payload):
                store(payload, cursor: cursor)
                    .map { ForwardDone($0, number: number, cursor: cursor) }
                    .eraseToAnySignal()
            }
        }
        .eraseToAnySignal()
    }
}
