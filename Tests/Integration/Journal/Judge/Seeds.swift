import Glibc
import TestSupport

/// The seeds of random journals: the same in each run. `BUSCTL_RX_SEED` selects another one.
enum Seeds {
    private static let asked = getenv("BUSCTL_RX_SEED").flatMap { UInt64(String(cString: $0)) }

    /// So many of them, as long as there is time for the run.
    static func first(_ count: Int) -> some Sequence<UInt64> {
        (0..<UInt64(asked == nil ? count : 1)).lazy.map { (asked ?? 1) &+ $0 }.prefix { _ in !RunLimit.isOver }
    }
}
