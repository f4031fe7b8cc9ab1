import CNATS

/// The messages that libnats dropped of a subscription, and the place among the delivered ones where the observer is told of them.
struct NATSDropping: Sendable {
    struct Counts: Sendable {
        /// How many messages libnats has handed over, the one that is being heard included. libnats keeps the last 32 bits.
        var delivered: Int32 = 0
        /// How many messages it holds.
        var pending: Int32 = 0
        var dropped: Int64 = 0
    }

    /// How many were dropped, as far as libnats has said.
    private var dropped: Int64 = 0
    /// How many of them the observer knows of.
    private var reported: Int64 = 0
    /// The loss is reported when so many messages are delivered: those that libnats held when it began to drop.
    private var due: Int32?
    /// The losses of later times when libnats began to drop before the first was reported. They are reported as one.
    private var later: Later?

    private struct Later {
        /// The same for the last of these times.
        var due: Int32
        /// How many were dropped before the first of them.
        let before: Int64
    }

    var isWaiting: Bool { due != nil }

    /// libnats has begun to drop. It goes on until it takes a message again, and says nothing more meanwhile.
    mutating func begin(_ counts: Counts) {
        let place = counts.delivered &+ counts.pending
        dropped = max(dropped, counts.dropped)
        if due == nil {
            due = place
        } else {
            // One at least was dropped since libnats took a message.
            later = Later(due: place, before: later?.before ?? dropped - 1)
        }
    }

    /// How many are to be reported now; 0 while libnats has not delivered those that came earlier.
    mutating func takeDue(_ counts: Counts) -> Int {
        var count = 0
        while let place = due, place &- counts.delivered <= 0 {
            if let later { count += take(upTo: later.before) } else { count += takeAll(counts) }
            (due, later) = (later?.due, nil)
        }
        return count
    }

    /// How many were not reported yet.
    ///
    /// - Parameter counts: nil when libnats has closed the subscription, and says nothing more of it.
    mutating func takeAll(_ counts: Counts?) -> Int {
        dropped = max(dropped, counts?.dropped ?? 0)
        return take(upTo: dropped)
    }

    private mutating func take(upTo number: Int64) -> Int {
        // All may have been reported meanwhile, because the subscription ends.
        let count = max(0, number - reported)
        reported += count
        return Int(count)
    }
}

extension NATSDropping.Counts {
    init?(of subscription: OpaquePointer?) {
        self.init()
        var (held, handedOver) = (CInt(0), Int64(0))
        let status = natsSubscription_GetStats(subscription, &held, nil, nil, nil, &handedOver, &dropped)
        guard status == NATS_OK else { return nil }
        (delivered, pending) = (Int32(truncatingIfNeeded: handedOver), held)
    }
}
