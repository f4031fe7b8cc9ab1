import Bus
import Filter
import Glibc
import Records
import SystemPackage

/// A file to which entries are appended that a receiver refuses, so that they are not lost: a JSON object a line, with the entry's
/// `cursor`, the `reason`, and the `request` that was refused, in Base64.
struct DeadLetters: Sendable {
    let path: String

    /// Appends entries, and returns when the disk has them.
    func append(_ entries: [(cursor: String, payload: [UInt8])], reason: String) throws(ForwardFailure) {
        var lines = OutputBuffer(capacity: 4096)
        for (cursor, payload) in entries {
            lines.append("{\"cursor\":")
            lines.append(json: cursor)
            lines.append(",\"reason\":")
            lines.append(json: reason)
            lines.append(",\"request\":\"")
            payload.withUnsafeBytes { bytes in Base64.encode(bytes).withUnsafeBytes { lines.append($0) } }
            lines.append("\"}\n")
        }
        let text = lines.withBytes { Array($0) }
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(path),
                .writeOnly,
                // A pipe that nobody reads is refused, and not waited for.
                options: [.create, .append, .closeOnExec, .nonBlocking],
                permissions: [.ownerReadWrite]
            )
            try descriptor.closeAfter {
                try descriptor.writeAll(text)
                if fsync(descriptor.rawValue) < 0 { throw Errno(rawValue: errno) }
            }
        } catch {
            throw ForwardFailure("cannot write refused entries to \(path): \(error)", .end)
        }
    }
}
