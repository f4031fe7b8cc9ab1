import Bus
import Filter
import Glibc

/// Users and groups of this machine, by name.
enum AccountNames {
    static func user(_ name: String) -> NamedNumber {
        look(up: name, "user", "passwd") { buffer, size in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let code = getpwnam_r(name, &entry, buffer, size, &found)
            return (code, found.map { Int64($0.pointee.pw_uid) })
        }
    }

    static func group(_ name: String) -> NamedNumber {
        look(up: name, "group", "group") { buffer, size in
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            let code = getgrnam_r(name, &entry, buffer, size, &found)
            return (code, found.map { Int64($0.pointee.gr_gid) })
        }
    }

    /// A group with thousands of members needs a large buffer; nothing needs a larger one than this.
    private static let maxSize = 4 << 20

    private static func look(
        up name: String,
        _ kind: String,
        _ database: String,
        _ ask: (UnsafeMutablePointer<CChar>, Int) -> (Int32, Int64?)
    ) -> NamedNumber {
        guard !name.utf8.contains(0) else { return .unknown(reason: "no \(kind) has a zero byte in its name") }
        var size = 1024
        while true {
            let (code, number) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                buffer.baseAddress.map { ask($0, buffer.count) } ?? (ENOMEM, nil)
            }
            if code == ERANGE, size < maxSize {
                size *= 4
            } else if code != EINTR {
                return answer(name, kind, database, code, number)
            }
        }
    }

    private static func answer(_ name: String, _ kind: String, _ database: String, _ code: Int32, _ number: Int64?)
        -> NamedNumber
    {
        if let number { return .number(number) }
        // Each name service has its own code for a name that it does not know.
        guard [0, ENOENT, ESRCH, EBADF, EPERM].contains(code) else {
            return .unknown(
                reason: "the \(kind) \(name) cannot be looked up: \(SystemError.text(code)); write the number"
            )
        }
        return .unknown(
            reason: "this machine knows no \(kind) \(name); write the \(kind)'s number, or a name that getent"
                + " \(database) shows"
        )
    }
}
