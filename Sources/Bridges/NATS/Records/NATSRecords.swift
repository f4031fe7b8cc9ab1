public import Bus
public import Records

extension Signal where Value == NATSMessage {
    /// Messages as records, with a ``NATSContent`` each. Messages that were lost are a gap.
    ///
    /// ```
    /// self     --m1--m2--(2 lost)--m5--x
    /// records  --#1--#2--gap-------#5--x
    /// ```
    ///
    /// A record's time is the one in its payload, if that is a JSON object with a time, else that at which the message was heard.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "nats") -> some Signal<Record, Failure> {
        records(named: name) { message, number, now in
            NATSContent(message).record(from: name, number: number, otherwise: now)
        }
    }
}

extension Signal where Value == NATSStreamItem {
    /// Messages of a stream as records, with a ``NATSContent`` each. A gap is a record, too.
    ///
    /// ```
    /// self     --m1--m2--gap--m5--x
    /// records  --#1--#2--gap--#5--x
    /// ```
    ///
    /// A record's number is that of the message in the stream. Its time is the one in its payload, if that is a JSON object with
    /// a time, else that at which the message was stored.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "nats") -> some Signal<Record, Failure> {
        compactMap { item in item.record(from: name) }
    }
}

extension NATSContent {
    /// - Parameter time: when it happened, if the payload does not say so.
    package func record(from source: String, number: UInt64, otherwise time: RecordTime) -> Record {
        Record(source: source, time: self.time ?? time, sequence: number, content: self)
    }
}

extension NATSStreamItem {
    /// - Returns: nil for ``caughtUp``.
    package func record(from source: String) -> Record? {
        switch self {
        case .message(let delivery):
            NATSContent(delivery)
                .record(from: source, number: delivery.sequence, otherwise: delivery.storedAt)
        case .gap(let lost):
            .gap(
                lost: lost.map { Int(clamping: $0) },
                source: source,
                time: .now,
                sequence: 0,
                message: Self.explanation(lost)
            )
        case .caughtUp: nil
        }
    }

    private static func explanation(_ lost: UInt64?) -> String {
        guard let lost else { return "the stream was made anew; its earlier messages are missing here" }
        return lost == 1
            ? "1 message is missing here: the stream has removed it"
            : "up to \(lost) messages are missing here: the stream has removed them"
    }
}
