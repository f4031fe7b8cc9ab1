import Glibc
public import SystemPackage

/// Whether a process is set up for signals to be read in order, and the obstacles if it is not.
public struct OSSignalReadiness: Sendable, Hashable {
    /// A thread that a signal may interrupt.
    public struct Thread: Sendable, Hashable {
        /// As in `ps -L`; the main thread's is the process's.
        public let id: CInt
        /// As `ps -L` shows it: at most 15 bytes, see pthread_setname_np(3). Empty if the system does not tell.
        public let name: String
        /// The signals that it does not block.
        public let numbers: Set<CInt>
    }

    /// A descriptor of this process, not this package's, through which signals are read.
    public struct Reader: Sendable, Hashable {
        /// A signalfd(2).
        public let descriptor: FileDescriptor
        /// The signals that are read there.
        public let numbers: Set<CInt>
    }

    /// Threads that do not block all of the signals. They are heard all the same, handed on from there: at the price of an
    /// interruption, and without the promise that real-time signals stay in order.
    public let unblocked: [Thread]
    /// Other readers of some of the signals: of each of those signals, one of the two readers hears it, at random.
    public let readers: [Reader]

    /// Whether every thread blocks the signals, and nobody else reads them.
    public var isComplete: Bool { unblocked.isEmpty && readers.isEmpty }
}

extension OSSignalReadiness: CustomStringConvertible {
    /// For people, a line for each obstacle.
    public var description: String {
        if isComplete { return "every thread blocks the signals, and nobody else reads them" }
        let threads = unblocked.map { thread in
            "thread \(thread.id) (\(thread.name)) does not block \(SignalBits(thread.numbers)): it is interrupted by them, and "
                + "real-time signals may change places; block them first thing in main, before threads start"
        }
        let rivals = readers.map { reader in
            "descriptor \(reader.descriptor.rawValue) reads \(SignalBits(reader.numbers)), too (a Dispatch signal source, "
                + "swift-service-lifecycle or sd-event): each of these signals reaches only one of the two"
        }
        return (threads + rivals).joined(separator: "\n")
    }
}
