import Glibc
import SystemPackage

extension OSSignalSet {
    /// Blocks these signals in the calling thread and the threads it starts from now on, so that they wait to be
    /// read.
    ///
    /// Call it first thing in `main`, before there is any other thread: then every thread blocks them, none is
    /// interrupted by them, and signals that come before there is a subscription wait for it. Called later it blocks
    /// them where it can, and the result lists the threads that it could not reach. Nothing is lost by that: see
    /// `Signals.osSignals`.
    ///
    /// Children inherit the mask unless they are started with another: see ``ChildSignals``.
    ///
    /// When the last subscription to a signal that was blocked here ends, the signal's previous action applies again:
    /// it is let through to a thread of this package.
    ///
    /// - Returns: the threads of the process that do not block the signals, and other readers of the signals.
    /// - Throws: ``OSSignalError/system(operation:errno:)``. When it says that a folder of /proc cannot be listed, the signals
    ///   are blocked all the same.
    @discardableResult
    public func block() throws(OSSignalError) -> OSSignalReadiness {
        try blockUnchecked()
        return try readiness()
    }

    /// What ``block()`` does, without reading about all threads and descriptors of the process.
    package func blockUnchecked() throws(OSSignalError) {
        let blockedBefore = SignalBits.blockedHere
        let code = bits.apply(SIG_BLOCK)
        guard code == 0 else { throw .system(operation: "block signals", errno: Errno(rawValue: code)) }
        OSSignalHub.shared.blocked(bits, before: blockedBefore)
    }

    /// The threads of the process that do not block these signals now, and other readers of the signals.
    ///
    /// Reads a file in /proc for each thread and each descriptor.
    ///
    /// - Throws: ``OSSignalError/system(operation:errno:)`` when the threads or the descriptors cannot be listed.
    public func readiness() throws(OSSignalError) -> OSSignalReadiness {
        let reading = OSSignalHub.shared.thread
        return OSSignalReadiness(
            unblocked: try ThreadMask.all().filter { $0.id != reading }.compactMap { thread in
                let open = bits.subtracting(thread.blocked)
                return open.isEmpty ? nil : .init(id: thread.id, name: thread.name, numbers: Set(open.numbers))
            },
            readers: try SignalReaders.others(of: bits)
        )
    }
}
