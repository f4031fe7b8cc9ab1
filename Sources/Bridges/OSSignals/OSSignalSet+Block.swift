import Glibc

extension OSSignalSet {
    /// Blocks these signals in the calling thread and those it starts from now on, so that they wait to be read.
    ///
    /// Call it first thing in `main`, before any other thread is there: then every thread blocks them, none is interrupted
    /// by them, and what comes before there is a subscription waits for it. Called later it blocks what it can, and the
    /// answer says which threads it could not reach. Nothing is lost by that: see `Signals.osSignals`.
    ///
    /// Children inherit the mask unless they are started with another: see ``ChildSignals``.
    ///
    /// When the last subscription to a signal that was blocked here ends, the process answers that signal as it did
    /// before: it is let through to a thread of this package's, where what was to happen happens.
    ///
    /// - Returns: which threads of the process do not block the signals, and who else reads them.
    /// - Throws: when the system does not say which threads there are, with the signals blocked all the same.
    @discardableResult
    public func block() throws(OSSignalError) -> OSSignalReadiness {
        let blockedBefore = SignalBits.blockedHere
        let code = bits.apply(SIG_BLOCK)
        guard code == 0 else { throw .system(operation: "block signals", code: code) }
        OSSignalHub.shared.blocked(bits, before: blockedBefore)
        return try readiness()
    }

    /// Which threads of the process do not block these signals now, and who else reads them.
    ///
    /// Reads a file in /proc for each thread and each descriptor.
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
