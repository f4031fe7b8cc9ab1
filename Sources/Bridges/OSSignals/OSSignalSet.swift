import Glibc

/// Signals that a process takes in order in place of being interrupted by them.
public struct OSSignalSet: Sendable, Hashable {
    /// The numbers of the signals, such as `SIGTERM`; all of them can be read in this way.
    public let numbers: Set<CInt>

    /// - Throws: ``OSSignalError/uncatchable(number:reason:)`` for `SIGKILL` and `SIGSTOP`, for the signals that a
    ///   fault raises in the faulting thread (including abort's), for signals that the C library reserves, and for
    ///   numbers that are no signal.
    public init(_ numbers: some Sequence<CInt>) throws(OSSignalError) {
        self.numbers = Set(numbers)
        for number in self.numbers.sorted() {
            if let reason = Self.reasonAgainst(number) {
                throw .uncatchable(number: number, reason: reason)
            }
        }
    }

    var bits: SignalBits { SignalBits(numbers) }

    private static func reasonAgainst(_ number: CInt) -> String? {
        switch number {
        case SIGKILL, SIGSTOP: "the kernel lets no process catch it"
        case SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS:
            "a fault raises it in the thread at fault, which cannot go on without it being handled there"
        case SIGABRT: "abort raises it in the thread that gives up, which does not wait for anybody to hear of it"
        case 32, 33: "the C library uses it for its own threads"
        case 1...64: nil
        default: "there is no such signal"
        }
    }
}
