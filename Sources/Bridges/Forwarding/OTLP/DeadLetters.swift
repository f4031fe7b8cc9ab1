import Bus
import DequeModule
import Glibc
import JSONScan
import Records
import SystemPackage

/// A file to which entries are appended that a receiver refuses, so that they are not lost: a JSON object a line, with the entry's
/// `cursor`, the `reason`, and the `request` that was refused, in Base64.
final class DeadLetters: Sendable {
    let path: String
    /// Writes one after another: what one of two at a time takes back could be the other's.
    private let thread = ThreadScheduler(name: "bus-refused")
    private let recent: Lock<Recent>

    /// The cursors of the records that were appended last. They come again when an attempt fails before the place has passed them.
    private struct Recent: Sendable {
        var cursors: Set<String> = []
        var order: Deque<String> = []
        let max: Int
    }

    /// - Parameter maxPending: how many records may be behind the place.
    init(path: String, maxPending: Int) {
        self.path = path
        recent = Lock(Recent(max: maxPending))
    }

    struct Letter: Sendable {
        let cursor: String
        let reason: String
        /// A request with this record alone.
        let request: [UInt8]
    }

    /// Those that were not appended before.
    func new(of letters: [Letter]) -> [Letter] {
        recent.withLock { recent in
            letters.filter { $0.cursor.isEmpty || !recent.cursors.contains($0.cursor) }
        }
    }

    /// Appends records, all or none, and returns when the disk has them.
    func append(_ letters: [Letter]) async throws(ForwardError) {
        do {
            try await thread.result { [self] in
                try append(Self.text(of: letters))
                recent.withLock { recent in
                    for letter in letters where recent.cursors.insert(letter.cursor).inserted {
                        recent.order.append(letter.cursor)
                        if recent.order.count > recent.max, let last = recent.order.popFirst() {
                            recent.cursors.remove(last)
                        }
                    }
                }
            }
        } catch {
            throw ForwardError("cannot write refused records to \(path): \(error)", .end)
        }
    }

    private static func text(of letters: [Letter]) -> [UInt8] {
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
        return lines.withBytes { Array($0) }
    }

    private func append(_ text: [UInt8]) throws {
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
                // A device such as /dev/null has nothing to wait for.
                if fsync(descriptor.rawValue) < 0, errno != EINVAL, errno != EROFS { throw Errno(rawValue: errno) }
            } catch {
                // The next run would write behind half a line. If this fails, too, there is nothing else to do about it.
                _ = ftruncate(descriptor.rawValue, off_t(size))
                throw error
            }
        }
    }
}
