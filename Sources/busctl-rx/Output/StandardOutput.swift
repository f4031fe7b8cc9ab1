import Bus
import Glibc
import SystemPackage
import Timers

/// Standard output, gathered so that many lines cost one write.
///
/// Used by one thread at a time.
final class StandardOutput: Sendable {
    private struct State: Sendable {
        var buffer: [UInt8] = []
        /// The rest of the flush in progress.
        var flushing = 0
        var failure: Errno?
        var isClosed = false
        /// How many bytes are gathered before they are written without being asked to: few the first time, so that the first lines
        /// are seen soon.
        var batch = 2 * 1024
    }

    private static let batch = 32 * 1024

    private let state: Lock<State>
    /// Whether it is no failure that nothing can be written because it is closed.
    private let mayBeClosed: Bool
    private let isTerminal = StandardDescriptors.isOutputTerminal
    /// Held while the system writes, so that two flushes come out one after the other.
    private let writing = Lock(())

    init(mayBeClosed: Bool = false) {
        self.mayBeClosed = mayBeClosed
        // Also where nothing will be written.
        state = Lock(State(failure: mayBeClosed || !StandardDescriptors.isOutputClosed ? nil : .badFileDescriptor))
    }

    /// Why nothing can be written any more; `EPIPE` when the reader is gone, `EBADF`
    /// when there never was one.
    var failure: Errno? { state.withLock { $0.failure } }

    /// The message for a person about it: none when the reader is gone, which is how pipelines end.
    var reportableFailure: String? {
        switch failure {
        case nil, .brokenPipe: nil
        case .badFileDescriptor: mayBeClosed ? nil : "cannot write: standard output is closed"
        case let failure?: "cannot write to standard output: \(failure)"
        }
    }

    /// How many bytes were appended and have not been written.
    var unwritten: Int { state.withLock { $0.buffer.count + $0.flushing } }

    func append(_ bytes: [UInt8]) {
        let isFull = state.withLock { state -> Bool in
            if state.buffer.isEmpty { state.buffer = bytes } else { state.buffer += bytes }
            guard state.buffer.count >= state.batch else { return false }
            state.batch = Self.batch
            return true
        }
        if isFull { flush() }
    }

    /// Writes the gathered output. Blocks while the reader does not read.
    func flush() { flush(andClose: false) }

    /// Writes the gathered output, and nothing after it: output that another thread still appends is dropped, so that
    /// the process can end without cutting a line in two.
    func close() { flush(andClose: true) }

    private func flush(andClose isLast: Bool) {
        writing.withLock { _ in
            let buffer = state.withLock { state -> [UInt8] in
                defer {
                    state.buffer.removeAll(keepingCapacity: false)
                    if isLast { state.isClosed = true }
                }
                guard state.failure == nil, !state.isClosed else { return [] }
                state.flushing = state.buffer.count
                return state.buffer
            }
            if buffer.isEmpty { return }
            if isTerminal { StatusLine.givingWay { put(buffer) } } else { put(buffer) }
        }
    }

    private func put(_ bytes: [UInt8]) {
        do throws(Errno) {
            try write(bytes)
        } catch {
            state.withLock { state in
                state.failure = error
                state.flushing = 0
            }
        }
    }

    private func write(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            do {
                written += try bytes.withUnsafeBytes { bytes in
                    try FileDescriptor.standardOutput.write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
                }
                state.withLock { [written] in $0.flushing = bytes.count - written }
            } catch Errno.wouldBlock {
                waitUntilWritable()
            } catch let error as Errno {
                throw error
            } catch {
                throw .ioError
            }
        }
    }

    /// Some other process has made the descriptor non-blocking.
    private func waitUntilWritable() {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
    }
}

/// Ends the process while its output waits for a reader.
enum LastWord {
    /// How long writing to standard error may take. It is often the same terminal, which may be stopped.
    private static let patience = Duration.milliseconds(100)

    /// Ends the process at once when everything is written. Otherwise it first reports how much is missing, on a
    /// thread of its own, for at most `patience`. Blocks no thread.
    static func end(_ status: ExitStatus, unwritten: Int) {
        guard unwritten > 0 else { status.end() }
        TimerScheduler.shared.schedule(after: patience) { status.end() }
        ThreadScheduler(name: "busctl-last-word").schedule {
            StandardError.report("standard output is not being read: at least \(unwritten) bytes were not written")
            status.end()
        }
    }
}
