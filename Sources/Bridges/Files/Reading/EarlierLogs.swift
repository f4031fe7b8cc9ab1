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

    private let isWanted: () -> Bool

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
        self.isWanted = isWanted
        let last: PathWalk.Step?
        do throws(FileWatchError) {
            last = try PathWalk(path).steps.last
        } catch {
            throw FileReadError(error)
        }
        guard let last else { return }
        let names = Self.names(in: last.directory)
        func opened(_ names: [(name: [UInt8], inode: UInt64)]) -> [OpenLog] {
            names.compactMap { open(last.directory.appending($0.name)) }.filter { $0.identity != present }
        }
        let named = names.filter { RotatedName.isOne(String(decoding: $0.name, as: UTF8.self), of: "\(last.name)") }
        let others = opened(Array(named.prefix(Self.maxOpen)))
        var found = try Self.first(with: place, in: opened(names.filter { $0.inode == place.inode }))
        if found == nil, place.isInCopies { found = try Self.first(with: place, in: others) }
        guard let found else { return }
        let later = others.filter { $0.identity != found.identity && $0.changedAt >= found.changedAt }
            .sorted { $0.changedAt < $1.changedAt }
        // What a compressed one had between the found file and the others is missing.
        logs = [found] + later.filter { !$0.isCompressed }
        isWhole = logs.count == later.count + 1 && named.count <= Self.maxOpen
    }

    private static func first(with place: FilePlace, in logs: [OpenLog]) throws(FileReadError) -> OpenLog? {
        for log in logs where try log.has(place) { return log }
        return nil
    }

    private func open(_ path: RawPath) -> OpenLog? {
        do throws(OpenLog.Refusal) {
            return try OpenLog.open(path, followsLink: false, isWanted: isWanted)
        } catch {
            // It has gone since, or is none that could be read. If it was to be read, the place is not found, which is said.
            return nil
        }
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
