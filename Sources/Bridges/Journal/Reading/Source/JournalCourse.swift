/// The direction in which a journal is read.
package enum JournalCourse: Sendable, Hashable {
    /// On from a place, and then as entries come if it follows.
    case onward(from: JournalStart, follow: Bool)
    /// Back from a place, the newest entry first.
    case back(JournalRetreat)

    var follow: Bool { if case .onward(_, let follow) = self { follow } else { false } }

    var goesBack: Bool { if case .back = self { true } else { false } }

    /// Whether the first entries that are wanted may be near the end.
    var beginsAtEnd: Bool {
        switch self {
        case .onward(.tail, _), .back: true
        case .onward: false
        }
    }
}
