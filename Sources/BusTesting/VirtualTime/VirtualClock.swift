/// The three clocks of a machine in virtual time.
enum VirtualClock: Int, CaseIterable, Sendable {
    case monotonic, boot, wall
}
