public import Records

/// Where the reading of a stream of JetStream, or a new consumer, begins.
public enum NATSStart: Sendable, Hashable {
    /// With the first message that the stream has.
    case first
    /// With the last message that the stream has.
    case last
    /// With the next message that is stored.
    case new
    /// With this message.
    case sequence(UInt64)
    /// Behind this message, which was read before. If the stream begins later, or was made anew,
    /// ``NATSConnection/messages(ofStream:subject:from:headersOnly:on:)`` reports a gap; a consumer does not.
    case after(UInt64)
    /// With the first message that was stored at this time or later.
    case time(RecordTime)

    /// The settings of a consumer that begins there.
    var settings: String {
        switch self {
        case .first: #""deliver_policy":"all""#
        case .last: #""deliver_policy":"last""#
        case .new: #""deliver_policy":"new""#
        case .sequence(let number): #""deliver_policy":"by_start_sequence","opt_start_seq":\#(max(1, number))"#
        case .after(let number):
            #""deliver_policy":"by_start_sequence","opt_start_seq":\#(number == .max ? number : number + 1)"#
        case .time(let time): #""deliver_policy":"by_start_time","opt_start_time":"\#(time)""#
        }
    }
}
