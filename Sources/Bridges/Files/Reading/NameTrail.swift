/// The files that have come to a name since, and the names they have now: so that a file that was moved on before it
/// could be opened is found.
///
/// Notified of everything that happens to names in the directory, in order.
struct NameTrail {
    /// A file that came to the name.
    private struct Arrival {
        /// Nil when it was deleted, overwritten, or moved out of sight.
        var name: FileName?
        /// It was moved away from its name, and it is not known yet to which.
        var cookie: UInt32?
    }

    /// The place of the next file.
    enum Next: Equatable {
        case named(FileName)
        /// Between two names: the next event tells more.
        case moving
        /// It cannot be found any more.
        case gone
    }

    /// More are not remembered. The oldest are then gone.
    private static let maxWaiting = 256

    let name: FileName
    /// The file that was opened last, and where it is.
    private var opened: Arrival
    /// The files that came after it, in order.
    private var waiting: [Arrival] = []
    /// Changes with everything that concerns these files.
    private(set) var version = 0

    init(_ name: FileName) {
        self.name = name
        opened = Arrival(name: nil)
    }

    /// The next file to open.
    var next: Next? {
        guard let first = waiting.first else { return nil }
        if let name = first.name { return .named(name) }
        return first.cookie == nil ? .gone : .moving
    }

    /// Whether there is a file at the name, as far as is known.
    var isAtName: Bool { self[indices.upperBound - 1].name == name }

    /// The next file has been opened, or given up.
    mutating func take() { opened = waiting.removeFirst() }

    /// The file that is at the name has been opened without regard to reported changes; or none is there, and the
    /// file that was opened last may come back.
    mutating func start(isAtName: Bool) {
        if isAtName { opened = Arrival(name: name) }
        waiting = []
    }

    /// It was waited for, and where it was moved to is out of sight.
    mutating func giveUpMove() {
        guard !waiting.isEmpty else { return }
        waiting[0].cookie = nil
    }

    mutating func note(_ change: RawChange) {
        switch change.kind {
        case .created: arrive(at: change.name)
        case .movedTo:
            if let moved = indices.first(where: { self[$0].cookie == change.cookie }) {
                leave(change.name)
                self[moved].cookie = nil
                self[moved].name = change.name
                version += 1
                // An older one has come back over a newer one.
                if change.name == name, moved != indices.upperBound - 1 { append(self[moved]) }
            } else {
                arrive(at: change.name)
            }
        case .movedFrom: leave(change.name, cookie: change.cookie)
        case .deleted: leave(change.name)
        default: break
        }
    }

    private mutating func arrive(at place: FileName) {
        leave(place)
        guard place == name else { return }
        append(Arrival(name: name))
        version += 1
    }

    private mutating func leave(_ place: FileName, cookie: UInt32? = nil) {
        for index in indices where self[index].name == place {
            self[index] = Arrival(name: nil, cookie: cookie)
            version += 1
        }
    }

    private mutating func append(_ arrival: Arrival) {
        if waiting.count == Self.maxWaiting {
            // In the place of the two oldest, that one is missing.
            waiting.remove(at: 1)
            waiting[0] = Arrival(name: nil)
        }
        waiting.append(arrival)
    }

    /// The opened file has index 0, the others follow.
    private var indices: Range<Int> { 0..<(waiting.count + 1) }

    private subscript(index: Int) -> Arrival {
        get { index == 0 ? opened : waiting[index - 1] }
        set { if index == 0 { opened = newValue } else { waiting[index - 1] = newValue } }
    }
}
