import CLinux
import Glibc

/// The process at the other end of a connection, as it was when it connected. The kernel vouches for it.
struct TapPeer: Sendable, Hashable, CustomStringConvertible {
    let process: pid_t
    let user: uid_t
    /// All its groups.
    let groups: Set<gid_t>

    /// Nil when the kernel does not tell.
    init?(of descriptor: CInt) {
        var peer = clinux_peer()
        guard clinux_unix_peer(descriptor, &peer) == 0 else { return nil }
        process = peer.pid
        user = peer.uid
        // NGROUPS_MAX is 65,536. A process with more than these is known by its own group.
        let further = withUnsafeTemporaryAllocation(of: gid_t.self, capacity: 1024) { buffer in
            let count = clinux_unix_peer_groups(descriptor, buffer.baseAddress, CInt(buffer.count))
            return Array(buffer.prefix(Int(max(0, count))))
        }
        groups = Set(further + [peer.gid])
    }

    init(process: pid_t, user: uid_t, groups: Set<gid_t>) {
        self.process = process
        self.user = user
        self.groups = groups
    }

    var description: String { "process \(process) of user \(user)" }
}
