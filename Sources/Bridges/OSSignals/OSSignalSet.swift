import Glibc

/// Signals that a process takes in turn in place of being interrupted by them.
public struct OSSignalSet: Sendable, Hashable {
    public let numbers: Set<CInt>

    /// - Throws: ``OSSignalError/uncatchable(number:reason:)`` for `SIGKILL` and `SIGSTOP`, for the signals that a
    ///   fault raises in the thread at fault, for those the C library keeps for itself, and for numbers that are no
    ///   signal.
    public init(_ numbers: some Sequence<CInt>) throws(OSSignalError) {
        self.numbers = Set(numbers)
        for number in self.numbers {
            if let reason = Self.reasonAgainst(number) {
                throw .uncatchable(number: number, reason: reason)
            }
        }
    }

    /// Blocks these signals in the calling thread and those it starts from now on, so that they wait to be read.
    ///
    /// Called first thing in `main`, before any other thread is there: a signal goes to any thread that does not
    /// block it. Children inherit the mask unless they are started with another. Dispatch undoes it in the main thread
    /// when that is given to it, as by an asynchronous `main`.
    public func block() throws(OSSignalError) {
        var set = systemSet
        let code = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard code == 0 else { throw .system(operation: "block signals", code: code) }
    }

    var systemSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    private static func reasonAgainst(_ number: CInt) -> String? {
        switch number {
        case SIGKILL, SIGSTOP: "the kernel lets no process catch it"
        case SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS:
            "a fault raises it in the thread at fault, which cannot go on without it being handled there"
        case 32, 33: "the C library uses it for its own threads"
        case 1...64: nil
        default: "there is no such signal"
        }
    }
}
