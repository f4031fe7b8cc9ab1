/// The known state of the file at a path, updated by the events of the path's names.
///
/// By the time an event is read, more may have happened, so every event only causes a check: whether the file found
/// there is the file that was there.
struct FollowedFile: Sendable {
    /// An event of a name on the path.
    enum Event: Sendable {
        /// The file with the name does not have it any more.
        case departure
        /// Something has the name now, or a link on the way leads elsewhere.
        case arrival
    }

    private(set) var known: FileIdentity?
    /// It departed though the same one was found there: if one arrives now, it is another one with the same number.
    private var hasDeparted = false

    init(_ known: FileIdentity?) {
        self.known = known
    }

    /// The changes to send, when `found` is the state after the event.
    mutating func rescan(after event: Event, _ found: FileIdentity?) -> FileChange.Kind? {
        let before = known
        known = found
        guard let found else {
            hasDeparted = false
            return before == nil ? nil : .deleted
        }
        if before == nil { return .created }
        let isSame = found == before
        switch event {
        case .departure:
            hasDeparted = isSame
            return isSame ? nil : .replaced
        case .arrival:
            defer { hasDeparted = false }
            return isSame && !hasDeparted ? nil : .replaced
        }
    }
}
