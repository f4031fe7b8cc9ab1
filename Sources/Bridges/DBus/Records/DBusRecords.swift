public import Bus
public import Records

extension Signal where Value == DBusMessage {
    /// Messages as records, with a ``DBusContent`` each. Messages that were lost are a gap.
    ///
    /// ```
    /// self     --m1--m2--(2 lost)--m5--x
    /// records  --#1--#2--gap-------#5--x
    /// ```
    ///
    /// A record's time is that at which the message was read from the socket. D-Bus messages do not say when they were sent.
    ///
    /// - Ends: with the source.
    /// - Fails: with the source.
    /// - Cancelling: ends the source's subscription.
    ///
    /// - Parameter name: the source's name.
    public consuming func records(named name: String = "dbus") -> some Signal<Record, Failure> {
        records(named: name) { message, number, _ in DBusContent(message).record(from: name, number: number) }
    }
}

extension DBusContent {
    /// The message as a record of a source.
    package func record(from source: String, number: UInt64) -> Record {
        Record(
            source: source,
            time: message.realtime,
            monotonic: message.monotonic,
            sequence: number,
            content: self
        )
    }
}
