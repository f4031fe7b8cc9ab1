import Bus

/// Splits the tap's output into replies, up to the last reply to the call.
struct TapReplies: Transducer {
    typealias Input = [UInt8]
    /// The replies that came together.
    typealias Output = [Result<TapReply, TapClientError>]
    typealias InputFailure = TapClientError

    /// The longest reply, in bytes.
    static let limit = 16 << 20

    let path: String
    private var buffer = MessageBuffer(limit: limit)
    private var isOver = false

    init(path: String) {
        self.path = path
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ bytes: [UInt8],
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == TapClientError {
        bytes.withUnsafeBytes { buffer.append($0) }
        var replies: Output = []
        while !isOver, let message = buffer.next() {
            replies.append(read(message))
        }
        if !isOver, buffer.isTooLong { replies.append(end(.malformedReply(path: path, reason: "a reply has no end"))) }
        guard !replies.isEmpty else { return downstream.demand }
        let demand = downstream.next(replies)
        return isOver ? .stop : demand
    }

    private mutating func read(_ message: ArraySlice<UInt8>) -> Result<TapReply, TapClientError> {
        switch TapReply.read(message) {
        case .reply(let reply):
            isOver = !reply.continues
            return .success(reply)
        case .error(let name, let parameters):
            return end(.refused(path: path, error: name, parameters: parameters))
        case .malformed(let reason): return end(.malformedReply(path: path, reason: reason))
        }
    }

    private mutating func end(_ error: TapClientError) -> Result<TapReply, TapClientError> {
        isOver = true
        return .failure(error)
    }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<TapClientError>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == TapClientError {
        // Whatever ended the connection, the answer to the call is incomplete.
        downstream.terminate(isOver ? termination : .failed(.disconnected(path: path)))
    }

    var demand: Demand { isOver ? .stop : .more }
}
