import JSONScan
import NATSBridge
import Records

/// Finds out whether a stream still has what it acknowledged.
///
/// A server that lost power, or whose store was put back, begins with fewer messages than before, under the same name. Neither the server's
/// id, which each start changes, nor the number of the stream's last message shows that for certain: others may have stored messages since.
/// So the stream's leader is asked for the message with the number that it acknowledged, which must have the id of the entry.
struct JetStreamCheck {
    enum Standing {
        /// The stream has the message, or has removed it by its rules.
        case stored
        /// It never had it, as far as it knows.
        case lost
        /// The message may have been deleted, or may be lost.
        case unknown
    }

    struct Loss {
        /// The newest place up to which the stream has everything; the oldest known place if it may have nothing.
        let base: ForwardPlace
        /// How many entries behind the base it may have lost.
        let maxLost: Int
        /// For a person; `nil` if nothing of this forwarder was there to be lost.
        let report: String?
    }

    let connection: NATSConnection
    let name: String

    init(_ connection: NATSConnection, stream: String) {
        self.connection = connection
        name = stream
    }

    func standing(of mark: ForwardMark, _ state: NATSStreamState) async throws(NATSError) -> Standing {
        if let standing = state.standing(of: mark) { return standing }
        do throws(NATSError) {
            let headers = try await connection.headers(ofMessage: mark.sequence, inStream: name)
            return Self.id(in: headers) == mark.cursor ? .stored : .lost
        } catch {
            guard case .jetStream(code: 10037, _) = error.reason else { throw error }
            return .unknown
        }
    }

    /// - Parameter headers: those of a message, in Base64.
    static func id(in headers: String) -> String? {
        guard let bytes = Array(headers.utf8).withUnsafeBytes({ Base64.decode($0) }) else { return nil }
        let name = "Nats-Msg-Id:"
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") where line.hasPrefix(name) {
            return String(line.dropFirst(name.count).drop { $0 == " " })
        }
        return nil
    }

    /// The loss of a stream among the messages that it acknowledged up to a place; `nil` if nothing shows one.
    func loss(behind place: ForwardPlace, _ state: NATSStreamState) async throws(NATSError) -> Loss? {
        let history = place.checked(made: nil).history
        let sequence = place.sequence ?? 0
        if state.isAnother(than: place.made) {
            let found =
                "was made anew: message \(sequence) was acknowledged before, and it has messages up to \(state.last)"
            return loss(of: place, state, found, from: nil)
        }
        var found = sequence > state.last ? "it has messages up to \(state.last)" : nil
        for mark in history.marks.reversed() {
            switch try await standing(of: mark, state) {
            case .stored:
                guard let found else { return nil }
                return loss(of: place, state, Self.lost(sequence, found), from: mark)
            case .lost: found = found ?? "another message has the number \(mark.sequence) now"
            case .unknown: continue
            }
        }
        return found.map { loss(of: place, state, Self.lost(sequence, $0), from: nil) }
    }

    private static func lost(_ sequence: UInt64, _ found: String) -> String {
        "has lost messages: message \(sequence) was acknowledged, and \(found)"
    }

    /// - Parameter mark: the newest that the stream has; `nil` if it has none.
    private func loss(
        of place: ForwardPlace,
        _ state: NATSStreamState,
        _ found: String,
        from mark: ForwardMark?
    ) -> Loss {
        let history = place.checked(made: nil).history
        let mark = mark ?? ForwardMark(sequence: 0, cursor: history.marks.first?.cursor)
        var base = ForwardPlace()
        base.cursor = mark.cursor
        base.sequence = mark.sequence
        base.made = state.made ?? place.made
        base.mark = mark.sequence > 0 ? mark : nil
        base.history = mark.sequence > 0 ? history.through(mark) : ForwardHistory(beginning: mark.cursor)
        let again =
            if mark.sequence > 0 {
                "entries behind message \(mark.sequence) that it does not have are sent again"
            } else if let cursor = mark.cursor {
                "entries behind \(cursor) that it does not have are sent again; the cursor file holds no earlier place"
            } else {
                "all entries that it does not have are sent again"
            }
        return Loss(
            base: base,
            maxLost: Int(clamping: (place.sequence ?? 0) - mark.sequence),
            report: place.hasMessages ? "the stream \(name) \(found); \(again)" : nil
        )
    }
}

extension NATSStreamState {
    /// The standing of a mark, where it is known without asking for its message.
    func standing(of mark: ForwardMark) -> JetStreamCheck.Standing? {
        if mark.sequence == 0 { return .stored }
        if mark.sequence > last { return .lost }
        return mark.sequence < first ? .stored : nil
    }

    /// - Parameter date: when a stream was made; `nil` if nobody knows.
    func isAnother(than date: String?) -> Bool { made != nil && date != nil && made != date }
}

extension ForwardPlace {
    /// Whether the sink has acknowledged entries up to it. A cursor file of an earlier version tells the number alone.
    fileprivate var hasMessages: Bool { mark != nil || history.marks.isEmpty && sequence ?? 0 > 0 }

    /// The place when the stream has everything up to it.
    func checked(made: String?) -> ForwardPlace {
        var place = self
        place.made = made ?? self.made
        // A cursor file of an earlier version has no history.
        if history.marks.isEmpty { place.history = ForwardHistory(beginning: cursor) }
        if let mark { place.history.add(mark) }
        return place
    }
}

extension NATSStreamState {
    /// Up to when a message must have been stored to be taken for stored because it can be read.
    ///
    /// Each server of a cluster answers readers from what it has itself. After the loss of a leader that can be other messages, under
    /// the same numbers, than the next leader has (seen with nats-server 2.9.10). The leader tells by the id whether it has a message,
    /// within its duplicate window. So what is younger is sent again.
    func trusted(at now: RecordTime) -> RecordTime {
        guard isReplicated else { return RecordTime(microseconds: .max) }
        // What is sent again needs some time to get there.
        let window = Duration.nanoseconds(max(0, duplicateWindow))
        return now.advanced(by: min(.seconds(10), window / 2) - window)
    }
}
