/// Which way the values of a topic go over a link, seen from this program.
public enum LinkDirection: Sendable, Hashable {
    /// Values that this program posts are sent.
    case sent
    /// Values that other programs send are posted here.
    case heard
    /// Both.
    case both

    var sends: Bool { self != .heard }
    var hears: Bool { self != .sent }
}
