/// Finds the records because of which a request is refused, by sending each half by itself: a pure value.
struct OTLPBisection {
    struct Refusal: Equatable {
        let records: Range<Int>
        let reason: String
    }

    /// After so many refused requests, and none that was taken, a receiver is taken to refuse everything: a request that it refuses is not
    /// halved any more.
    static let patience = 32

    /// The records to send next, the last range first.
    private var open: [Range<Int>] = []
    private var requests = 0
    private var hasTaken = false
    /// The refused records, in their order.
    private(set) var refusals: [Refusal] = []

    /// - Parameter count: how many records the request has that was refused.
    init(count: Int, isTooLarge: Bool, reason: String) {
        open = [0..<count]
        refused(isTooLarge: isTooLarge, reason: reason)
    }

    /// The records to send next; `nil` when all are taken or refused.
    var next: Range<Int>? { open.last }

    /// The receiver has taken ``next``.
    mutating func taken() {
        open.removeLast()
        hasTaken = true
    }

    /// The receiver has refused ``next``.
    ///
    /// - Parameter isTooLarge: whether it refuses the size, so that others may be small enough, however many were refused.
    mutating func refused(isTooLarge: Bool, reason: String) {
        let records = open.removeLast()
        requests += 1
        let isHopeless = !isTooLarge && !hasTaken && requests >= Self.patience
        guard records.count > 1, !isHopeless else {
            return refusals.append(Refusal(records: records, reason: reason))
        }
        let middle = records.lowerBound + records.count / 2
        open += [middle..<records.upperBound, records.lowerBound..<middle]
    }
}
