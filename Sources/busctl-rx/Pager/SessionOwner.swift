import Glibc
import SystemPackage

/// The user who logged in to this process's session.
enum SessionOwner {
    /// More than any list of control groups has.
    private static let maxSize = 65_536

    /// Whether it is the user whose rights this process has. False where it is not known who logged in.
    static var isEffectiveUser: Bool { uid == geteuid() }

    private static var uid: uid_t? {
        do {
            let file = try FileDescriptor.open("/proc/self/cgroup", .readOnly, options: .closeOnExec)
            return try file.closeAfter {
                let bytes = try [UInt8](unsafeUninitializedCapacity: maxSize) { buffer, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                return uid(in: String(decoding: bytes, as: UTF8.self))
            }
        } catch {
            return nil
        }
    }

    /// The user of whom systemd keeps a slice, `user-1000.slice`, with the process in it. Control groups are described in
    /// cgroups(7).
    static func uid(in list: String) -> uid_t? {
        let lines = list.split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("0::") || $0.contains(":name=systemd:") }),
            let slice = line.split(separator: "/").dropFirst().prefix(while: { $0.hasSuffix(".slice") }).last,
            slice.hasPrefix("user-")
        else { return nil }
        return uid_t(slice.dropFirst("user-".count).dropLast(".slice".count))
    }
}
