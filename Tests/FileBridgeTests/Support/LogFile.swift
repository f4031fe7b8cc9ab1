import TestSupport
import FileBridge
import Glibc
import SystemPackage

/// Writes a log like a daemon whose file is renamed or truncated meanwhile.
final class LogFile {
    let path: FilePath
    private var descriptor: FileDescriptor

    init(_ path: FilePath) throws {
        self.path = path
        descriptor = try Self.open(path)
    }

    deinit {
        try? descriptor.close()
    }

    private static func open(_ path: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(
            path,
            .writeOnly,
            options: [.append, .create, .closeOnExec],
            permissions: [.ownerReadWrite]
        )
    }

    func write(_ text: String) throws { try write(bytes: Array(text.utf8)) }

    func write(bytes: [UInt8]) throws { _ = try descriptor.writeAll(bytes) }

    /// Writes into the file at the path from now on.
    func reopen() throws {
        try descriptor.close()
        descriptor = try Self.open(path)
    }

    func truncate(to size: Int64 = 0) throws { try check(ftruncate(descriptor.rawValue, Int(size))) }

    /// Moves the file to the name with this ending, like logrotate.
    func move(to ending: String) throws { try Self.rename(path, FilePath("\(path)\(ending)")) }

    static func rename(_ path: FilePath, _ other: FilePath) throws {
        try check(path.withPlatformString { from in other.withPlatformString { Glibc.rename(from, $0) } })
    }

    /// Sets when it was last written to, in seconds since 1970.
    func setChanged(_ time: Int) throws {
        let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        try check(futimens(descriptor.rawValue, times))
    }

    func delete() throws { try check(path.withPlatformString { unlink($0) }) }

    static func make(_ path: FilePath, _ text: String = "") throws { try LogFile(path).write(text) }
}

private func check(_ result: CInt) throws {
    guard result == 0 else { throw Errno(rawValue: errno) }
}

/// What was heard of a file's lines, as text.
extension Listening<FileItem, FileReadError> {
    var lines: [String] { values.flatMap { $0.lines?.text ?? [] } }

    var gaps: [FileGap] { values.gaps }

    func waitForLines(_ expected: [String]) throws { try wait("\(expected)") { $0.lines.count >= expected.count } }

    func waitUntilCaughtUp() throws { try wait("what was there") { $0.values.contains(.caughtUp) } }
}

extension [FileItem] {
    var gaps: [FileGap] {
        compactMap { item in
            if case .gap(let gap) = item { gap } else { nil }
        }
    }
}
