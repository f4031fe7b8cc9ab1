import CLinux
import Glibc

/// Hears the changes of the names that decide which file is at a path, and of writers to open files. It has an
/// inotify descriptor of its own, because it is read on the thread that reads the files: changes before a look at a
/// file are known then.
///
/// Used by one thread.
final class NameWatch {
    /// The changes reported since the last scan.
    struct News {
        /// Something may be read, or opened, that could not be before.
        var isAny = false
        /// Another way may lead to the file.
        var wayChanged = false
        /// Some changes were not reported.
        var isIncomplete = false
    }

    private static let capacity = 16 << 10
    private static let events = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )
    private static let moves = UInt32(IN_MOVE_SELF | IN_ONLYDIR)
    /// So often the way may change while it is being looked at, before that is taken as it is; an event follows anyway.
    private static let attempts = 16

    /// Readable when there is something to ``take()``; -1 while the system has none to give.
    private(set) var descriptor: CInt = -1
    private let path: RawPath
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
    private var walk: PathWalk?
    private var folders: [RawPath: CInt] = [:]
    private var files: Set<CInt> = []
    /// While no file is at the path, the names of its directories are watched, too. A directory does not report its
    /// deletion before a deleted file in it is closed, and that file is still being read.
    private var parents: [PathWalk.Step] = []
    private(set) var watchesParents = false
    /// Whether all directories on the way are watched.
    private(set) var isComplete = false
    /// Whether the names in the directory of the file are watched.
    var watchesFolder: Bool { folders[folder] != nil }
    /// The place of the file, and the files that have come there; nil while its directory is missing.
    var trail: NameTrail?

    init(_ path: RawPath) { self.path = path }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        memory.deallocate()
    }

    /// The directory in which the file lies.
    var folder: RawPath { walk?.steps.last?.directory ?? .root }

    // MARK: Watching

    /// Walks until the watched way is the way that is found: changes in between are then reported.
    func watchWay() throws(FileReadError) {
        let before = walk
        if descriptor < 0 { descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK)) }
        do throws(FileWatchError) {
            for attempt in 1...Self.attempts {
                let (found, isVacant) = (try PathWalk(path), !exists)
                if found == walk, isVacant == watchesParents, attempt > 1 { break }
                watch(found, withParents: isVacant)
            }
        } catch {
            throw FileReadError(error)
        }
        guard let walk, walk.isWhole, let last = walk.steps.last else {
            trail = nil
            return
        }
        // Notes about another directory are useless here.
        if trail == nil || walk != before { trail = NameTrail(last.name) }
    }

    private var exists: Bool { path.withCString { access($0, F_OK) } == 0 }

    private func watch(_ found: PathWalk, withParents: Bool) {
        walk = found
        watchesParents = withParents
        parents = withParents ? Self.parents(of: found) : []
        guard descriptor >= 0 else { return }
        let wanted = Set(found.steps.map(\.directory)).union(parents.map(\.directory))
        var watches: [RawPath: CInt] = [:]
        for folder in wanted {
            let watch = folder.withCString { inotify_add_watch(descriptor, $0, Self.events) }
            if watch >= 0 { watches[folder] = watch }
        }
        isComplete = watches.count == wanted.count
        // Their content is not heard, which may be busy.
        for folder in Self.parents(of: found).map(\.directory) where watches[folder] == nil {
            let watch = folder.withCString { path in
                let watch = inotify_add_watch(descriptor, path, Self.moves | UInt32(IN_MASK_ADD))
                // Another path may lead to a directory of which all is heard.
                return watches.values.contains(watch) ? watch : inotify_add_watch(descriptor, path, Self.moves)
            }
            if watch >= 0 { watches[folder] = watch }
        }
        for (_, watch) in folders where !watches.values.contains(watch) { inotify_rm_watch(descriptor, watch) }
        folders = watches
    }

    /// The names of the directory in which the last name is looked up, and of the directories above it.
    private static func parents(of walk: PathWalk) -> [PathWalk.Step] {
        guard var directory = walk.steps.last?.directory else { return [] }
        var steps: [PathWalk.Step] = []
        while let name = directory.names.last {
            directory = directory.parent
            steps.append(PathWalk.Step(directory: directory, name: FileName(bytes: name)))
        }
        return steps
    }

    /// Hears of writers to an open file, where that is possible. Returns whether that begins now.
    @discardableResult
    func add(_ log: OpenLog) -> Bool {
        guard descriptor >= 0, log.watch == nil, log.reportsWriters else { return false }
        let watch = clinux_watch_open_file(descriptor, log.descriptor, UInt32(IN_MODIFY))
        guard watch >= 0 else { return false }
        log.watch = watch
        files.insert(watch)
        return true
    }

    func remove(_ log: OpenLog) {
        guard let watch = log.watch else { return }
        log.watch = nil
        files.remove(watch)
        inotify_rm_watch(descriptor, watch)
    }

    // MARK: Hearing

    /// Takes the reported changes, without waiting for any.
    func take() -> News {
        var news = News()
        guard descriptor >= 0 else { return news }
        while true {
            let count = read(descriptor, memory.baseAddress, memory.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return news }
            RawChange.forEach(in: UnsafeRawBufferPointer(rebasing: memory[..<count])) { note($0, &news) }
        }
    }

    private func note(_ change: RawChange, _ news: inout News) {
        if change.isOverflow {
            news = News(isAny: true, wayChanged: true, isIncomplete: true)
        } else if files.contains(change.watch) {
            news.isAny = true
        } else if folders.values.contains(change.watch) {
            if change.isEnding {
                news.isAny = true
                news.wayChanged = true
            } else {
                noteName(change, &news)
            }
        }
    }

    private func noteName(_ change: RawChange, _ news: inout News) {
        guard let walk, let last = walk.steps.last else { return }
        if parents.contains(where: { $0.name == change.name && folders[$0.directory] == change.watch }) {
            news.isAny = true
            news.wayChanged = true
        }
        let isAtFile = walk.isWhole && folders[last.directory] == change.watch
        if isAtFile { trail?.note(change) }
        let step = walk.steps.lastIndex { $0.name == change.name && folders[$0.directory] == change.watch }
        guard let step else { return }
        news.isAny = true
        if !walk.isWhole || step < walk.steps.count - 1 { news.wayChanged = true }
    }
}
