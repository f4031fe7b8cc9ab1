import Glibc

/// Writes entries to systemd's journal, by journald's native protocol.
///
/// An entry is handed to journald as one datagram, a large one as a file in memory. Success does not mean that the
/// entry is on disk; entries that journald has not read when it dies are lost, unless systemd holds its socket, as it
/// usually does.
///
/// - Threads: any number may write. Their entries come in the order in which the calls were made.
/// - Descriptors: one socket, from the first entry until this is released.
/// - Waiting: an entry that finds journald's queue full (ten datagrams, on most systems) waits for capacity, for
///   `patience` at most. While journald takes nothing, only the first entry waits so long; later ones fail at once.
///   If journald is gone, entries fail at once, until it is found again. (libsystemd's `sd_journal_sendv` waits
///   without limit for a journald that does not read, and reports an entry for one that is gone as written.)
///   ``write(_:)`` blocks its caller's thread for that; a signal's `write(to:)` pauses the signal instead, and blocks
///   no thread.
public final class JournalWriter: Sendable {
    /// The machine's journal, or the namespace that the unit runs in (`LogNamespace=`).
    public static let system = JournalWriter()

    let port: JournalPort
    /// Entries of callers that must not wait.
    private let outbox: JournalOutbox

    /// - Parameters:
    ///   - identifier: the identifier of entries without one of their own (`SYSLOG_IDENTIFIER`); the program's name
    ///     by default.
    ///   - patience: how long an entry may wait for capacity.
    public convenience init(identifier: String? = nil, patience: Duration = .milliseconds(500)) {
        self.init(socket: "/run/systemd/journal/socket", identifier: identifier, patience: patience)
    }

    /// A journald at a socket of one's own; that of the namespace `web` listens at `/run/systemd/journal.web/socket`.
    public init(socket: String, identifier: String? = nil, patience: Duration = .milliseconds(500)) {
        port = JournalPort(
            socket: DatagramSocket(name: socket, takesFiles: true),
            patience: patience,
            identifier: JournalMessage(identifier: identifier ?? Self.programName).bytes
        )
        outbox = JournalOutbox(port, tellsOfMissing: false)
    }

    /// Hands an entry over. Blocks the thread while journald's queue is full, for `patience` at most.
    ///
    /// - Throws: ``JournalWriteError``, which names the socket, when it was not handed over.
    public func write(_ message: JournalMessage) throws(JournalWriteError) {
        do throws(DatagramSocket.Failure) {
            try port.send(message, patience: port.patience)
        } catch {
            throw JournalWriteError(error, port.socket.name)
        }
    }

    /// Hands an entry over without ever waiting: while journald's queue is full, at most 1,024 entries are kept, each for
    /// `patience` at most. They keep the order in which they came.
    ///
    /// - Parameter unwritten: called when it was not handed over: at once, or later on the thread that serves timers, on
    ///   `bus-delivery`, or on that of another caller.
    package func submit(_ message: JournalMessage, unwritten: @escaping @Sendable (JournalWriteError) -> Void) {
        let isTaken = outbox.submit(message) { error in
            if let error { unwritten(error) }
        }
        if !isTaken { unwritten(JournalWriteError(.full, port.socket.name)) }
    }

    private static var programName: String {
        let path = CommandLine.arguments.first ?? "swift"
        return path.split(separator: "/").last.map { String($0) } ?? path
    }
}
