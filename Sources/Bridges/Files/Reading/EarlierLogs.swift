import Glibc
import SystemPackage

/// The files of a log that were moved away or copied since a place in it was read.
struct EarlierLogs {
    /// So many are opened; others count as missing.
    private static let maxOpen = 64
    /// So many of a directory's names are looked at.
    private static let maxNames = 65_536

    /// The file that has the place, and the files that came after it, in their order; empty if no file has it.
    private(set) var logs: [OpenLog] = []
    /// Whether these are all.
    private(set) var isWhole = false

    /// - Parameters:
    ///   - place: where reading was.
    ///   - path: of the log.
    ///   - present: the file that is at the path now, which is not one of them.
    init(
        behind place: FilePlace,
        of path: RawPath,
        present: OpenLog.Identity?,
        _ isWanted: @escaping () -> Bool
    ) throws(FileReadError) {
        let last: PathWalk.Step?
        do throws(FileWatchError) {
            last = try PathWalk(path).steps.last
        } catch {
            throw FileReadError(error)
        }
        guard let last else { return }
        let names = Self.names(in: last.directory)
        func log(_ name: [UInt8]) -> OpenLog? {
            // One that has gone since, or cannot be read, has not the place. If none has it, that is said.
            guard let log = try? OpenLog.open(last.directory.appending(name), followsLink: false, isWanted: isWanted),
                log.identity != present
            else { return nil }
            return log
        }
        let rotated = names.filter { RotatedName.isOne(String(decoding: $0.name, as: UTF8.self), of: "\(last.name)") }
            .compactMap { found in Self.changedAt(last.directory.appending(found.name)).map { (found.name, $0) } }
            .sorted { $0.1 < $1.1 }
        var found = try Self.first(
            with: place,
            in: names.lazy.filter { $0.inode == place.inode }.compactMap { log($0.name) }
        )
        if found == nil, place.isInCopies {
            // A copy is one of the newest.
            found = try Self.first(
                with: place,
                in: rotated.suffix(Self.maxOpen).reversed().lazy.compactMap { log($0.0) }
            )
        }
        guard let found else { return }
        logs = [found]
        isWhole = true
        for (name, changedAt) in rotated where changedAt >= found.changedAt {
            guard logs.count < Self.maxOpen, let log = log(name), !log.isCompressed else {
                isWhole = false
                continue
            }
            if log.identity != found.identity { logs.append(log) }
        }
    }

    /// Since 1970; `nil` for what is no file.
    private static func changedAt(_ path: RawPath) -> (seconds: Int, nanoseconds: Int)? {
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return OpenLog.changedAt(status)
    }

    private static func first(with place: FilePlace, in logs: some Sequence<OpenLog>) throws(FileReadError) -> OpenLog?
    {
        for log in logs where try log.has(place) { return log }
        return nil
    }

    private static func names(in folder: RawPath) -> [(name: [UInt8], inode: UInt64)] {
        guard let directory = folder.withCString({ opendir($0) }) else { return [] }
        defer { closedir(directory) }
        var names: [(name: [UInt8], inode: UInt64)] = []
        while names.count < maxNames, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            names.append((name, UInt64(entry.pointee.d_ino)))
        }
        return names
    }
}
