import Glibc
import SystemPackage

/// The first bytes of a file that is about to be read.
package enum FileBeginning {
    /// At most so many; none of anything but a regular file, which could wait, or lack them for the next reader. The next
    /// reader also reports why a file cannot be read.
    package static func bytes(of path: String, _ count: Int) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                var bytes = [UInt8](repeating: 0, count: count)
                let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
                return Array(bytes.prefix(count))
            }
        } catch {
            return []
        }
    }
}
