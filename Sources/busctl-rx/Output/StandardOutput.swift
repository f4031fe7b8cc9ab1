import Bus
import Glibc
import SystemPackage

/// Standard output, gathered so that many lines cost one write.
///
/// Used by one thread at a time.
final class StandardOutput: Sendable {
    private struct State: Sendable {
        var buffer: [UInt8] = []
        var failure: Errno?
    }

    /// What is gathered before it is written without being asked to.
    private static let batch = 64 * 1024

    private let state = Lock(State())
    /// Held while the system writes, so that two flushes come out one after the other.
    private let writing = Lock(())

    /// Why nothing can be written any more; `EPIPE` when the reader is gone.
    var failure: Errno? { state.withLock { $0.failure } }

    func append(_ bytes: [UInt8]) {
        let isFull = state.withLock { state -> Bool in
            state.buffer += bytes
            return state.buffer.count >= Self.batch
        }
        if isFull { flush() }
    }

    /// Writes what has gathered. Blocks while the reader does not read.
    func flush() {
        writing.withLock { _ in
            let buffer = state.withLock { state -> [UInt8] in
                defer { state.buffer.removeAll(keepingCapacity: false) }
                return state.failure == nil ? state.buffer : []
            }
            do throws(Errno) {
                try write(buffer)
            } catch {
                state.withLock { $0.failure = error }
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
