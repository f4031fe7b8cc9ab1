import Glibc

/// The signals that a thread of this process blocks, from /proc.
struct ThreadMask {
    let id: pid_t
    let name: String
    let blocked: SignalBits
    /// Sent to this thread and to no other, and waiting.
    let pending: SignalBits

    /// Nil when the thread does not exist any more.
    init?(_ id: pid_t) {
        let status = ProcessFiles.bytes(of: "/proc/self/task/\(id)/status")
        guard let blocked = ProcessFiles.signals("SigBlk", in: status),
            let pending = ProcessFiles.signals("SigPnd", in: status)
        else { return nil }
        self.id = id
        name = ProcessFiles.field("Name", in: status).map { String(decoding: $0, as: UTF8.self) } ?? ""
        self.blocked = blocked
        self.pending = pending
    }

    static func all() throws(OSSignalError) -> [ThreadMask] {
        try ProcessFiles.numbers(in: "/proc/self/task").compactMap { ThreadMask($0) }
    }
}
