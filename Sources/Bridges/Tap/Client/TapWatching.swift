public import Bus
import Filter
import Records

extension TapClient {
    /// The events on the topics that match a pattern, from now on. Cold.
    ///
    /// ```
    /// program   ---1---2---(2 missed)---5---
    /// watch     b--1---2---g------------5---
    /// ```
    ///
    /// It first reports that it has begun, then sends the values that the topics keep, and then the values that are
    /// posted. The filter is evaluated in the program. If the subscriber is slower than the program, the program
    /// leaves out events and reports that: posters never wait. The compact framing is used where the program offers
    /// it.
    ///
    /// - Ends: after `count` events, or after `limit`.
    /// - Fails: with ``TapClientError``, when the tap cannot be reached, refuses the watch, or ends before it.
    /// - Cancelling: closes the connection, which ends the watch in the program.
    /// - Buffers: the result of one read, 64 KiB, and in the program `buffer` bytes.
    /// - Thread: the scheduler's.
    ///
    /// - Parameters:
    ///   - pattern: which topics, as in `deploy.*`.
    ///   - filter: an expression over an event; nil for all events.
    ///   - count: after how many events it ends; nil for never.
    ///   - limit: how long it lasts, in whole seconds; nil for no limit.
    ///   - buffer: how many bytes may wait for this client in the program; nil for the program's default.
    ///   - scheduler: where replies are read.
    public func watch(
        pattern: String = ">",
        filter: String? = nil,
        count: Int? = nil,
        for limit: Duration? = nil,
        buffer: Int? = nil,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<TapNews, TapClientError> {
        let parameters = TapCallParameters.text { members in
            members.add("pattern", pattern)
            if let filter { members.add("filter", filter) }
            // A watch without a given end ends by itself after a while, so that a forgotten one does.
            members.add("count", count ?? Int.max)
            members.add("seconds", limit.map { Int(max(1, $0.components.seconds)) } ?? 1 << 31)
            if let buffer { members.add("buffer", buffer) }
            members.add("announce", true)
            // A tap that does not know it ignores it, and sends messages.
            members.add("framing", TapFraming.compact.rawValue)
        }
        let call = Self.message("\(TapInterface.name).Watch", parameters, wantsMore: true)
        return connection(call, TapWatchReplies(path: path), scheduler)
    }

    /// Whether a tap knows the names in a filter. It may refuse the filter all the same, because of its cost.
    package static func canFilter(_ text: String) -> Bool {
        do throws(FilterError) {
            _ = try CompiledFilter(text, schema: TapSchema())
            return true
        } catch {
            // The caller's own schema may know them.
            return false
        }
    }

    /// Posts a value on a topic of the program, if the program allows it. Cold; see ``replies(to:parameters:wantsMore:on:)``.
    ///
    /// - Parameters:
    ///   - json: the value, as the topic's type decodes it.
    ///   - topic: the topic's name.
    ///   - scheduler: where the reply is read.
    public func post(
        _ json: [UInt8],
        to topic: String,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<TapReply, TapClientError> {
        let parameters = TapCallParameters.text { members in
            members.add("topic", topic)
            json.withUnsafeBytes { members.add("value", json: $0) }
        }
        return replies(to: "\(TapInterface.name).Post", parameters: parameters, on: scheduler)
    }
}

/// Writes the parameters of a call.
enum TapCallParameters {
    static func text(_ members: (inout ReplyMembers) -> Void) -> [UInt8] {
        var output = OutputBuffer(capacity: 256)
        ReplyMembers.append(to: &output, members)
        return output.withBytes { Array($0) }
    }
}
