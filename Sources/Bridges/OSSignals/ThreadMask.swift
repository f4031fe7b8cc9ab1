import Glibc

/// What a thread of this process blocks, as /proc tells it.
struct ThreadMask {
    let id: pid_t
    let name: String
    let blocked: SignalBits
    /// Sent to this thread and to no other, and waiting.
    let pending: SignalBits

    /// Nil when there is no such thread any more.
    init?(_ id: pid_t) {
        guard let status = ProcessFiles.text(of: "/proc/self/task/\(id)/status"),
            let blocked = ProcessFiles.field("SigBlk", in: status).flatMap({ UInt64($0, radix: 16) }),
            let pending = ProcessFiles.field("SigPnd", in: status).flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.id = id
        name = ProcessFiles.field("Name", in: status).map(String.init) ?? ""
        self.blocked = SignalBits(rawValue: blocked)
        self.pending = SignalBits(rawValue: pending)
    }

    static func all() throws(OSSignalError) -> [ThreadMask] {
        try ProcessFiles.numbers(in: "/proc/self/task").compactMap { ThreadMask($0) }
    }
}
