import Bus
import CLinux
import Glibc
import Synchronization

/// A Unix socket to the receiver at a name, opened with the first datagram and kept: a process that has run out of
/// descriptors can still report that it is alive.
///
/// Any number of threads may send. A receiver that went and came back at the same name is found again.
final class DatagramSocket: Sendable {
    enum Failure: Error, Hashable {
        /// The receiver's queue was full.
        case full
        /// A step failed with an error of the system: "connect to".
        case system(step: String, code: CInt)
    }

    /// As it is written in messages and in the environment: a path, or `@` and an abstract name.
    let name: String
    private let address: [CChar]
    /// Whether the receiver takes a file in memory in place of a datagram that is too large, as journald does.
    private let takesFiles: Bool
    private let descriptor = Atomic<CInt>(-1)
    /// Whether a sender has waited in vain, so that the next one does not.
    private let isStuck = Atomic<Bool>(false)
    /// The senders to call when there is free capacity.
    let waiters = DatagramWaiters()

    init(name: String, takesFiles: Bool) {
        self.name = name
        self.takesFiles = takesFiles
        let isAbstract = name.utf8.first == UInt8(ascii: "@")
        address = (isAbstract ? [0] : []) + name.utf8.dropFirst(isAbstract ? 1 : 0).map { CChar(bitPattern: $0) }
    }

    deinit {
        let open = descriptor.load(ordering: .acquiring)
        if open >= 0 { close(open) }
    }

    /// Whether waiting for capacity is useless, because a sender has waited in vain and nothing has gone through since.
    var isNotToBeAwaited: Bool { isStuck.load(ordering: .relaxed) }

    /// Somebody has waited in vain.
    func wasAwaitedInVain() { isStuck.store(true, ordering: .relaxed) }

    /// The descriptor, once something was sent or was to be.
    var socket: CInt { descriptor.load(ordering: .acquiring) }

    /// Sends the parts as one datagram, and descriptors with it.
    ///
    /// - Parameter patience: how long to wait for capacity in the receiver's queue, blocking the thread. After a wait in
    ///   vain no sender waits again until a datagram has gone through. With zero it does not wait.
    func send(
        _ parts: borrowing Parts,
        descriptors: [CInt] = [],
        patience: Duration
    ) throws(Failure) {
        let socket = try opened()
        var code = try sendNow(parts, descriptors, to: socket)
        if code == -EMSGSIZE || code == -ENOBUFS, takesFiles {
            let file = parts.sealedFile()
            guard file >= 0 else { throw .system(step: "make a file in memory for a large entry to", code: -file) }
            defer { close(file) }
            code = try sendNow(.empty, [file], to: socket)
            if code == -EAGAIN { code = try Parts.empty.send(to: socket, [file], patience, isStuck) }
        } else if code == -EAGAIN {
            code = try parts.send(to: socket, descriptors, patience, isStuck)
        }
        guard code >= 0 else { throw code == -EAGAIN ? .full : .system(step: "send to", code: -code) }
        if isStuck.load(ordering: .relaxed) { isStuck.store(false, ordering: .relaxed) }
    }

    /// Without waiting; looks for the receiver anew when it is gone.
    private func sendNow(_ parts: borrowing Parts, _ descriptors: [CInt], to socket: CInt) throws(Failure) -> CInt {
        let code = parts.send(to: socket, descriptors)
        guard Self.isGone(code) else { return code }
        try connect(socket)
        return parts.send(to: socket, descriptors)
    }

    /// Not connected yet, or the receiver is gone.
    private static func isGone(_ code: CInt) -> Bool {
        switch -code {
        case ENOTCONN, EDESTADDRREQ, ECONNREFUSED, ECONNRESET, EPIPE: true
        default: false
        }
    }

    private func connect(_ socket: CInt) throws(Failure) {
        let code = clinux_datagram_connect(socket, address, address.count)
        guard code >= 0 else { throw .system(step: "connect to", code: -code) }
    }

    private func opened() throws(Failure) -> CInt {
        let known = descriptor.load(ordering: .acquiring)
        if known >= 0 { return known }
        let made = clinux_datagram_socket()
        guard made >= 0 else { throw .system(step: "open a socket to", code: -made) }
        let (exchanged, original) = descriptor.compareExchange(
            expected: -1,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        if exchanged { return made }
        // Another thread was first.
        close(made)
        return original
    }
}

extension DatagramSocket.Failure {
    /// The result of sending a datagram to `receiver`, for people.
    func text(_ receiver: String) -> String {
        switch self {
        case .full: "\(receiver) takes nothing more: its queue is full"
        case .system(let step, let code):
            "cannot \(step) \(receiver): \(SystemError.numbered(code))\(Self.advice(code))"
        }
    }

    private static func advice(_ code: CInt) -> String {
        switch code {
        case EMFILE, ENFILE: "; raise the limit on open files (ulimit -n, LimitNOFILE=) or close some"
        case ENOENT, ECONNREFUSED: "; nobody listens there"
        case EACCES, EPERM: "; this user may not write to it"
        default: ""
        }
    }
}
