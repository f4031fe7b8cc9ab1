import Bus
import Foundation
import Glibc
package import SystemPackage

/// A test's own folder, which is removed with the test, and a shell in another process that works in it.
package final class TestFolder: Sendable {
    package struct ShellFailure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    package let path: FilePath

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bus-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = FilePath(folder.path)
    }

    deinit {
        // A test may have moved or deleted it.
        try? FileManager.default.removeItem(atPath: path.string)
    }

    /// Creates and removes an unrelated name repeatedly. The returned closure ends that.
    package func changeNames() throws -> () -> Void {
        let (other, mayEnd) = (file("other").string, Lock(false))
        let changes = try TestThread {
            while !mayEnd.withLock({ $0 }), mkdir(other, 0o700) == 0, rmdir(other) == 0 { usleep(1000) }
        }
        return {
            mayEnd.withLock { $0 = true }
            changes.wait()
        }
    }

    /// Changes names so often that the kernel keeps no more changes for a watcher of the folder that does not read.
    package func overflowWatchers() throws {
        let setting = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let limit = Int(setting.filter(\.isNumber)) ?? 16_384
        let names = ["this", "that"].map { file($0).string }
        try shell(": >this")
        // A change of a name is two events.
        for round in 0...limit / 2 { rename(names[round % 2], names[1 - round % 2]) }
        for name in names { unlink(name) }
    }

    package func file(_ name: String) -> FilePath { path.appending(name) }

    /// Runs a script to its end in another process, in this folder.
    package func shell(_ script: String) throws { try Self.shell(script, in: path) }

    package static func shell(_ script: String, in folder: FilePath = "/tmp") throws {
        let words = ["sh", "-ec", "cd '\(folder)'\n\(script)"]
        var argv = words.map { strdup($0) }
        argv.append(nil)
        defer { for word in argv { free(word) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, "/bin/sh", nil, nil, argv, nil) == 0 else {
            throw ShellFailure(description: "the shell does not start")
        }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw ShellFailure(description: "status \(status) of: \(script)") }
    }
}
