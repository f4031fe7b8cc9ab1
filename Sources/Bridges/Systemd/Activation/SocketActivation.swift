import Glibc
import SystemPackage

/// The descriptors that a service manager passed to this process: sd_listen_fds(3).
public enum SocketActivation {
    /// Takes them over: each is closed in programs started from now on, and the variables that announced them
    /// (`LISTEN_FDS`, `LISTEN_PID`, `LISTEN_FDNAMES`) are removed, so that no child takes itself for their owner.
    ///
    /// Call it first thing in `main`: changing the environment while another thread reads it is not safe. A second
    /// call returns none, because the first call has taken all of them.
    ///
    /// - Returns: in the manager's order; empty when there are none, or when they are meant for another process.
    /// - Throws: ``ActivationError`` when a variable is malformed, or an announced descriptor is not open. The variables are
    ///   removed all the same.
    public static func take() throws(ActivationError) -> [ActivatedDescriptor] {
        let environment = Environment.process
        defer { Environment.remove("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES") }
        return try take(announcedIn: environment, to: getpid(), from: 3)
    }

    /// - Parameter first: the descriptors' lowest number.
    static func take(
        announcedIn environment: Environment,
        to process: pid_t,
        from first: CInt
    ) throws(ActivationError) -> [ActivatedDescriptor] {
        guard let pid = environment("LISTEN_PID"), let count = environment("LISTEN_FDS") else { return [] }
        guard let owner = pid_t(pid) else { throw .malformed(variable: "LISTEN_PID", value: pid) }
        guard owner == process else { return [] }
        guard let number = CInt(count), number >= 0, number <= CInt.max - first else {
            throw .malformed(variable: "LISTEN_FDS", value: count)
        }
        let names = try names(of: Int(number), environment("LISTEN_FDNAMES"))
        var taken: [ActivatedDescriptor] = []
        for (index, descriptor) in (first..<first + number).enumerated() {
            let kind = try DescriptorKind(of: descriptor)
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) >= 0 else {
                throw .system(operation: "keep descriptor \(descriptor) from children", errno: Errno(rawValue: errno))
            }
            taken.append(
                ActivatedDescriptor(
                    descriptor: FileDescriptor(rawValue: descriptor),
                    name: names?[index] ?? "unknown",
                    kind: kind
                )
            )
        }
        return taken
    }

    /// One for each descriptor; nil where they have none.
    private static func names(of count: Int, _ list: String?) throws(ActivationError) -> [String]? {
        guard let list else { return nil }
        let names = list.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
        guard names.count == count else { throw .malformed(variable: "LISTEN_FDNAMES", value: list) }
        return names.map { $0.isEmpty ? "unknown" : $0 }
    }
}

extension [ActivatedDescriptor] {
    /// The first descriptor of this name.
    /// - Throws: ``ActivationError/missing(name:present:)``.
    public func named(_ name: String) throws(ActivationError) -> ActivatedDescriptor {
        guard let found = first(where: { $0.name == name }) else {
            throw .missing(name: name, present: map(\.name))
        }
        return found
    }
}
