import Glibc
import SystemPackage

/// The file that a path leads to, and the names on the way that decide it.
struct PathWalk: Sendable, Hashable {
    /// A name in a directory: of a link that was followed, of a missing file or directory, or of the file.
    struct Step: Sendable, Hashable {
        let directory: RawPath
        let name: FileName
    }

    /// In order; the last is the file's own name, when the way to it is whole.
    private(set) var steps: [Step] = []
    /// Whether all directories on the way are there.
    private(set) var isWhole = false

    /// The kernel's own limit.
    private static let maxLinks = 40

    init(_ path: RawPath) throws(FileWatchError) {
        var current = path.isAbsolute ? .root : try Self.workingDirectory(path)
        var ahead = path.names[...]
        var links = 0
        while let name = ahead.popFirst() {
            if name == Array(".".utf8) { continue }
            if name == Array("..".utf8) {
                current = current.parent
                continue
            }
            let next = current.appending(name)
            let step = Step(directory: current, name: FileName(bytes: name))
            if let target = Self.link(at: next) {
                links += 1
                guard links <= Self.maxLinks else {
                    throw .system(operation: "follow \(path)", errno: .tooManySymbolicLinkLevels)
                }
                steps.append(step)
                if target.isAbsolute { current = .root }
                ahead = target.names + ahead
            } else if ahead.isEmpty || next.withCString({ access($0, F_OK) }) != 0 {
                steps.append(step)
                isWhole = ahead.isEmpty
                return
            } else {
                current = next
            }
        }
    }

    private static func workingDirectory(_ path: RawPath) throws(FileWatchError) -> RawPath {
        guard let folder = getcwd(nil, 0) else {
            throw .system(operation: "find the working directory for \(path)", errno: Errno(rawValue: errno))
        }
        defer { free(folder) }
        return RawPath(bytes: UnsafeBufferPointer(start: folder, count: strlen(folder)).map { UInt8(bitPattern: $0) })
    }

    private static func link(at path: RawPath) -> RawPath? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = path.withCString { readlink($0, start, buffer.count) }
            return count > 0 ? RawPath(bytes: buffer[..<count].map { UInt8(bitPattern: $0) }) : nil
        }
    }
}
