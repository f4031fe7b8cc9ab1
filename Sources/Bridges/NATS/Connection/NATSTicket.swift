import Bus

/// The context of a connection's callbacks. It looks like a pointer and is a number, so that a callback that comes after the
/// link has ended finds nobody, and touches no memory.
struct NATSTicket: Sendable {
    private struct State: Sendable {
        var last: UInt = 0
        var links: [UInt: NATSLink] = [:]
    }

    private static let state = Lock(State())

    private let number: UInt

    init() {
        number = Self.state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// To be given to libnats. Never null.
    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }

    /// Callbacks find the link from now on.
    func issue(to link: NATSLink) { Self.state.withLock { $0.links[number] = link } }

    func retire() {
        let link = Self.state.withLock { $0.links.removeValue(forKey: number) }
        withExtendedLifetime(link) {}
    }

    static func link(of context: UnsafeMutableRawPointer?) -> NATSLink? {
        let number = UInt(bitPattern: context)
        return state.withLock { $0.links[number] }
    }
}
