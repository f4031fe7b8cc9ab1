import Bus
import Filter
import Glibc
import Records
import SystemPackage

/// A file to which entries are appended that a receiver refuses, so that they are not lost: a JSON object a line, with the entry's
/// `cursor`, the `reason`, and the `request` that was refused, in Base64.
struct DeadLetters: Sendable {
    let path: String

    struct Letter {
        let cursor: String
        let reason: String
        /// A request with this record alone.
        let request: [UInt8]
    }

    /// Appends records, all or none, and returns when the disk has them.
    func append(_ letters: [Letter]) throws(ForwardFailure) {
        var lines = OutputBuffer(capacity: 4096)
        for letter in letters {
            lines.append("{\"cursor\":")
            lines.append(json: letter.cursor)
            lines.append(",\"reason\":")
            lines.append(json: letter.reason)
            lines.append(",\"request\":\"")
            letter.request.withUnsafeBytes { bytes in
                Base64.encode(bytes).withUnsafeBytes { lines.append($0) }
            }
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
                let size = try descriptor.seek(offset: 0, from: .end)
                do {
                    try descriptor.writeAll(text)
                    if fsync(descriptor.rawValue) < 0 { throw Errno(rawValue: errno) }
                } catch {
                    // The next run would write behind half a line. If this fails, too, there is nothing else to do about it.
                    _ = ftruncate(descriptor.rawValue, off_t(size))
                    throw error
                }
            }
        } catch {
            throw ForwardFailure("cannot write refused records to \(path): \(error)", .end)
        }
    }
}
