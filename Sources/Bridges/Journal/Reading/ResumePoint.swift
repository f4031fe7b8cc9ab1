/// From where to read on when the journal has to be opened anew, without a cursor being asked for at every entry.
///
/// A cursor is kept now and then, and the times of the entries read after it. Reading on begins after the cursor and
/// passes over the entries whose times are those, in their order.
struct ResumePoint {
    private(set) var cursor: String?
    private(set) var since: [UInt64] = []

    /// How many entries may follow the cursor.
    static let span = 64

    init() {
        since.reserveCapacity(Self.span)
    }

    var wantsCursor: Bool { cursor == nil || since.count >= Self.span }

    mutating func moved(to cursor: String) {
        self.cursor = cursor
        since.removeAll(keepingCapacity: true)
    }

    mutating func passed(_ time: UInt64) {
        since.append(time)
    }
}

/// The entries that are read for the second time after the journal was opened anew.
struct Replay {
    private var times: ArraySlice<UInt64> = []

    init() {}

    init(after point: ResumePoint) {
        times = point.since[...]
    }

    var isOver: Bool { times.isEmpty }

    /// Whether the entry of that time was read before. One of them may be unreadable now; the ones after it still
    /// count.
    mutating func contains(_ time: UInt64) -> Bool {
        guard let index = times.firstIndex(of: time) else { return false }
        times = times[(index + 1)...]
        return true
    }
}
