import Glibc
import SystemPackage

/// Where a path leads, and which names on the way decide it.
struct PathWalk: Sendable, Hashable {
    /// A name in a directory: of a link that was followed, of what is missing, or of the file.
    struct Step: Sendable, Hashable {
        let directory: FilePath
        let name: FileName
    }

    /// In order; the last is the file's own name, when the way to it is whole.
    private(set) var steps: [Step] = []
    /// Whether all directories on the way are there.
    private(set) var isWhole = false

    /// The kernel's own limit.
    private static let mostLinks = 40

    init(_ path: FilePath) throws(FileWatchError) {
        var current = FilePath("/")
        var ahead = Array(try Self.absolute(path).components)
        var links = 0
        while !ahead.isEmpty {
            let component = ahead.removeFirst()
            guard component.kind == .regular else {
                if component.kind == .parentDirectory { current.removeLastComponent() }
                continue
            }
            let next = current.appending(component)
            let step = Step(directory: current, name: FileName(bytes: Self.bytes(of: component)))
            if let target = Self.link(at: next) {
                links += 1
                guard links <= Self.mostLinks else {
                    throw .system(operation: "follow \(path)", errno: .tooManySymbolicLinkLevels)
                }
                steps.append(step)
                if target.isAbsolute { current = FilePath("/") }
                ahead = Array(target.components) + ahead
            } else if ahead.isEmpty || access(next) != 0 {
                steps.append(step)
                isWhole = ahead.isEmpty
                return
            } else {
                current = next
            }
        }
    }

    private static func absolute(_ path: FilePath) throws(FileWatchError) -> FilePath {
        guard path.isRelative else { return path }
        guard let folder = getcwd(nil, 0) else {
            throw .system(operation: "find the working directory for \(path)", errno: Errno(rawValue: errno))
        }
        defer { free(folder) }
        return FilePath(platformString: folder).pushing(path)
    }

    private func access(_ path: FilePath) -> CInt { path.withPlatformString { Glibc.access($0, F_OK) } }

    private static func bytes(of component: FilePath.Component) -> [UInt8] {
        component.withPlatformString {
            Array(UnsafeBufferPointer(start: $0, count: strlen($0))).map { UInt8(bitPattern: $0) }
        }
    }

    private static func link(at path: FilePath) -> FilePath? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = path.withPlatformString { readlink($0, start, Int(PATH_MAX)) }
            guard count > 0 else { return nil }
            buffer[count] = 0
            return FilePath(platformString: start)
        }
    }
}
