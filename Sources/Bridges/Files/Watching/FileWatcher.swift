import Bus
import CLinux
import Glibc
import Loop
import SystemPackage

/// The process's one inotify descriptor, and the listeners to its events.
///
/// One for all, because a user may have few of them (128 by default, all processes together) but many watches, and
/// closing one takes the kernel milliseconds. It is opened with the first watch and stays. The kernel gives two
/// watches of the same directory one number, so listeners share it.
final class FileWatcher: Sendable {
    /// Called with records that were read together; an overflow, and an event that ends the watch, come by
    /// themselves.
    typealias Listener = @Sendable ([RawChange]) -> Void

    static let shared = FileWatcher()

    /// One listener's part in a watch.
    struct Token: Hashable, Sendable {
        let watch: CInt
        fileprivate let listener: UInt64
    }

    private struct Entry: Sendable {
        let id: UInt64
        let mask: UInt32
        let listener: Listener
    }

    private struct State: Sendable {
        var descriptor: CInt?
        var entries: [CInt: [Entry]] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Lock(State())

    /// Adds a listener, which is called on the event loop's thread with the events in `mask`, with overflows, and
    /// with events that end the watch.
    func add(_ directory: RawPath, _ mask: UInt32, _ listener: @escaping Listener) throws(FileWatchError) -> Token {
        // A listener's events are added to the others', and those of a listener that has gone stay until all have;
        // `dispatch` filters out events that a listener did not ask for.
        let flags = UInt32(IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD)
        let place = DirectoryPlace(directory)
        return try state.withLock { state throws(FileWatchError) -> Token in
            let descriptor = try Self.descriptor(&state) { () throws(FileWatchError) in try open() }
            let watch = place.watch(with: descriptor, mask | flags | UInt32(IN_DELETE_SELF | IN_MOVE_SELF))
            guard watch >= 0 else { throw .system(operation: "watch \(directory)", errno: Errno(rawValue: -watch)) }
            state.lastID += 1
            // Still under the lock, for which a thread that reads an event of the new watch has to wait.
            state.entries[watch, default: []].append(Entry(id: state.lastID, mask: mask, listener: listener))
            return Token(watch: watch, listener: state.lastID)
        }
    }

    private static func descriptor(
        _ state: inout State,
        _ open: () throws(FileWatchError) -> CInt
    ) throws(FileWatchError) -> CInt {
        if let descriptor = state.descriptor { return descriptor }
        let descriptor = try open()
        state.descriptor = descriptor
        return descriptor
    }

    func remove(_ token: Token) {
        // The listener is released after the lock is: its deinitialiser may run any code.
        _ = state.withLock { state -> Entry? in
            guard var entries = state.entries[token.watch],
                let index = entries.firstIndex(where: { $0.id == token.listener })
            else { return nil }
            let removed = entries.remove(at: index)
            state.entries[token.watch] = entries.isEmpty ? nil : entries
            // It fails only for a watch that the kernel has ended meanwhile.
            if entries.isEmpty, let descriptor = state.descriptor { _ = inotify_rm_watch(descriptor, token.watch) }
            return removed
        }
    }

    private func open() throws(FileWatchError) -> CInt {
        let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw .system(operation: "open an inotify descriptor", errno: Errno(rawValue: errno))
        }
        let buffer = Buffer()
        do throws(EventLoopError) {
            _ = try EventLoop.shared.watch(paced: descriptor) { self.read(descriptor, buffer) }
        } catch {
            close(descriptor)
            throw .system(operation: error.operation, errno: Errno(rawValue: error.code))
        }
        return descriptor
    }

    // MARK: On the event loop's thread

    private final class Buffer: @unchecked Sendable {
        // Touched only on the event loop's thread.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

        deinit {
            bytes.deallocate()
        }
    }

    /// Once a call: remaining events are reported again, and other watches of the loop are served.
    private func read(_ descriptor: CInt, _ buffer: Buffer) {
        var count = 0
        repeat {
            count = Glibc.read(descriptor, buffer.bytes.baseAddress, buffer.bytes.count)
        } while count < 0 && errno == EINTR
        guard count > 0 else { return }
        let entries = state.withLock { $0.entries }
        // Events in one directory come in runs, and each run is handed over whole.
        var run: [RawChange] = []
        RawChange.forEach(in: UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])) { change in
            if let last = run.last, last.watch != change.watch || change.isOverflow || change.isEnding {
                dispatch(run, entries[last.watch])
                run.removeAll(keepingCapacity: true)
            }
            if change.isOverflow {
                for entry in entries.values.joined() { entry.listener([change]) }
            } else if change.isEnding {
                for entry in entries[change.watch] ?? [] { entry.listener([change]) }
                if change.mask & UInt32(IN_IGNORED) != 0 { forget(change.watch) }
            } else {
                run.append(change)
            }
        }
        if let last = run.last { dispatch(run, entries[last.watch]) }
    }

    private func dispatch(_ run: [RawChange], _ entries: [Entry]?) {
        for entry in entries ?? [] {
            let isAllWanted = run.allSatisfy { $0.mask & entry.mask != 0 }
            let wanted = isAllWanted ? run : run.filter { $0.mask & entry.mask != 0 }
            if !wanted.isEmpty { entry.listener(wanted) }
        }
    }

    /// The kernel has ended the watch.
    private func forget(_ watch: CInt) {
        _ = state.withLock { $0.entries.removeValue(forKey: watch) }
    }
}
