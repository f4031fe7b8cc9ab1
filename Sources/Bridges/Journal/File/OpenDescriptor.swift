import Bus
import Glibc
import Synchronization

/// A descriptor of a journal file. It is closed when nobody holds it any more: a file is read on several threads. If the process may have
/// only few files open, it is also closed for a while; see ``DescriptorPool``.
final class OpenDescriptor: Sendable {
    private let current: Atomic<Int32>
    private let hasReported = Atomic<Bool>(false)
    private let path: String
    private let identity: Inode
    private let pool: DescriptorPool

    init(_ opened: OpenedFile, _ path: String, in pool: DescriptorPool) {
        current = Atomic(opened.descriptor)
        self.path = path
        identity = opened.identity
        self.pool = pool
        pool.add(self)
    }

    deinit {
        pool.remove(self)
        if number >= 0 { close(number) }
    }

    /// -1 while it is closed.
    @inline(__always)
    var number: Int32 { current.load(ordering: .relaxed) }

    /// The descriptor, which is opened again if it was closed. -1 if the file is gone.
    func opened() -> Int32 {
        let number = self.number
        if number >= 0 { return number }
        pool.closeExcess()
        let fresh = open(path) ?? renamed() ?? -1
        current.store(fresh, ordering: .relaxed)
        if fresh >= 0 { pool.add(self) }
        return fresh
    }

    /// Closes it until it is needed again.
    fileprivate func rest() {
        let number = current.exchange(-1, ordering: .relaxed)
        if number >= 0 { close(number) }
    }

    private func open(_ path: String) -> Int32? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return nil }
        if FileStatus(of: descriptor)?.identity == identity { return descriptor }
        close(descriptor)
        return nil
    }

    /// The file under the name that journald gave it when it rotated it.
    private func renamed() -> Int32? {
        let folder = JournalFolders.folder(of: path)
        for name in JournalFolders.names(in: folder).names {
            let path = "\(folder)/\(name)"
            if FileStatus(at: path)?.identity == identity, let descriptor = open(path) { return descriptor }
        }
        return nil
    }

    /// Whether the caller is the first to report that fields of the file cannot be read.
    func tellsOfFields() -> Bool { !hasReported.exchange(true, ordering: .relaxed) }
}

/// The descriptors of a journal's files. Where the process may have fewer open than the journal has files, those that were opened
/// first are closed, and opened again when they are read. Then one thread reads all.
final class DescriptorPool: Sendable {
    // Sendable: the lock guards the references; an object removes itself before it is gone.
    private struct State: @unchecked Sendable {
        var limit = Int.max
        var open: [Unmanaged<OpenDescriptor>] = []
    }

    private let state = Lock(State())

    /// How many are open at most.
    func limit(to limit: Int) { state.withLock { $0.limit = limit } }

    var isLimited: Bool { state.withLock { $0.limit < .max } }

    /// Closes one if another one could not be opened.
    func closeExcess() {
        state.withLock { state in
            while state.open.count >= state.limit {
                state.open.removeFirst()._withUnsafeGuaranteedRef { $0.rest() }
            }
        }
    }

    fileprivate func add(_ descriptor: OpenDescriptor) {
        state.withLock { $0.open.append(.passUnretained(descriptor)) }
    }

    fileprivate func remove(_ descriptor: OpenDescriptor) {
        let pointer = Unmanaged.passUnretained(descriptor).toOpaque()
        state.withLock { $0.open.removeAll { $0.toOpaque() == pointer } }
    }
}
