import CLinux
import Glibc

/// Hears of changes in a journal's folders: of files that come and go, and of files that were written to.
///
/// journald announces entries late, up to 250 ms after the first of a burst; see ``PollSchedule``.
final class JournalWatch {
    /// Readable when there is something to ``take()``; -1 where the system has no watch to give.
    let descriptor: Int32
    private var folders: [String: Int32] = [:]
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)

    private static let capacity = 16 << 10
    private static let events = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    )
    private static let namesOfFiles = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
    )

    /// The changes since they were last taken.
    struct Notice {
        /// Files or folders came, went or got other names, or it is not known.
        var namesChanged = false
        /// Files were written to.
        var filesChanged = false
    }

    init() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        memory.deallocate()
    }

    /// Watches the folders.
    ///
    /// - Parameter only: whether to end the watches of all others.
    /// - Returns: whether all of them are watched, and whether one was not watched before. Files that came into such a
    ///   folder earlier are not announced.
    func watch(_ wanted: [String], only: Bool) -> (isComplete: Bool, isNew: Bool) {
        guard descriptor >= 0 else { return (false, false) }
        for (folder, watch) in folders where only && !wanted.contains(folder) {
            inotify_rm_watch(descriptor, watch)
            folders[folder] = nil
        }
        var isComplete = true
        var isNew = false
        for folder in wanted {
            // A folder that was made anew under its old name gets another watch.
            let watch = inotify_add_watch(descriptor, folder, Self.events | UInt32(IN_ONLYDIR))
            let before = folders.updateValue(watch, forKey: folder)
            if watch < 0 { folders[folder] = nil }
            isComplete = isComplete && watch >= 0
            guard before != watch else { continue }
            isNew = isNew || watch >= 0
            if let before, !folders.values.contains(before) { inotify_rm_watch(descriptor, before) }
        }
        return (isComplete, isNew)
    }

    /// Takes the reported changes, without waiting for any.
    func take() -> Notice {
        var notice = Notice()
        guard descriptor >= 0 else { return notice }
        while true {
            let count = read(descriptor, memory, Self.capacity)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return notice }
            var offset = 0
            while offset + MemoryLayout<inotify_event>.size <= count {
                let event = (memory + offset).loadUnaligned(as: inotify_event.self)
                offset += MemoryLayout<inotify_event>.size + Int(event.len)
                // The kernel confirms the end of a watch that was ended here.
                if event.mask & UInt32(IN_IGNORED) != 0, !folders.values.contains(event.wd) { continue }
                // The kernel's queue was full, or a folder is gone.
                let isUnknown = event.mask & UInt32(IN_Q_OVERFLOW | IN_IGNORED) != 0
                if isUnknown || event.mask & Self.namesOfFiles != 0 { notice.namesChanged = true }
                notice.filesChanged = true
            }
        }
    }
}
