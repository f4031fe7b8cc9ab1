import Glibc

extension OSSignal {
    /// Ends the process by this signal, as if nobody had listened: the parent sees that the signal ended it, not that
    /// it exited (a shell then stops its script after Ctrl-C, systemd counts SIGTERM as success).
    ///
    /// Nothing is flushed or closed before. A signal that ends no process by itself, such as SIGCHLD, ends it with
    /// the status that shells use for it, 128 plus the number.
    public func endProcess() -> Never {
        signal(number, SIG_DFL)
        SignalBits([number]).apply(SIG_UNBLOCK)
        // To this thread, which does not block it: it does not return if the signal ends processes.
        raise(number)
        _exit(128 &+ number)
    }
}
