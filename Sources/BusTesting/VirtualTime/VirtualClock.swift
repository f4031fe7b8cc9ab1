/// The three clocks of a machine whose time is made up, and what is told to them.
enum VirtualClock: Int, CaseIterable, Sendable {
    case monotonic, boot, wall
}
