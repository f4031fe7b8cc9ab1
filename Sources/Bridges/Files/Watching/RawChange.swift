import CLinux
import Glibc

/// One record of inotify(7).
@usableFromInline
struct RawChange: Sendable {
    let watch: CInt
    let mask: UInt32
    let cookie: UInt32
    let name: FileName

    /// Events that end a watch, and moves of the watched directory.
    static let endings = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)

    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    var isDirectory: Bool { mask & UInt32(IN_ISDIR) != 0 }
    var isEnding: Bool { mask & Self.endings != 0 }

    var loss: FileWatchError.Loss {
        mask & UInt32(IN_UNMOUNT) != 0 ? .unmounted : mask & UInt32(IN_MOVE_SELF) != 0 ? .moved : .deleted
    }

    /// The event of the name; nil for events of the watch itself.
    var kind: FileChange.Kind? { Self.kind(of: mask) }

    /// The possible events of a name. A record has one of these bits.
    private static var happenings: UInt32 {
        UInt32(
            IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_Q_OVERFLOW
        )
    }

    private static func kind(of mask: UInt32) -> FileChange.Kind? {
        switch mask & happenings {
        case UInt32(IN_MODIFY): .modified
        case UInt32(IN_CLOSE_WRITE): .closedAfterWrite
        case UInt32(IN_ATTRIB): .attributes
        case UInt32(IN_CREATE): .created
        case UInt32(IN_DELETE): .deleted
        case UInt32(IN_MOVED_FROM): .movedFrom
        case UInt32(IN_MOVED_TO): .movedTo
        case UInt32(IN_Q_OVERFLOW): .overflow
        default: nil
        }
    }

    /// The events to request from the kernel for these; it reports an overflow in any case.
    static func mask(for interest: Set<FileChange.Kind>) -> UInt32 {
        let bits = (0..<32).map { UInt32(1) << $0 }
        let wanted = bits.filter { kind(of: $0).map { $0 != .overflow && interest.contains($0) } ?? false }
        return wanted.reduce(0, |)
    }

    /// Calls `body` with each record in the buffer.
    static func forEach(in buffer: UnsafeRawBufferPointer, _ body: (RawChange) -> Void) {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= buffer.count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let length = min(Int(event.len), buffer.count - offset - header)
            // Filled up with zeros.
            let field = UnsafeRawBufferPointer(rebasing: buffer[(offset + header)..<(offset + header + length)])
            let name = field.withMemoryRebound(to: UInt8.self) { name in
                FileName(UnsafeBufferPointer(rebasing: name[..<(name.firstIndex(of: 0) ?? name.count)]))
            }
            body(RawChange(watch: event.wd, mask: event.mask, cookie: event.cookie, name: name))
            offset += header + length
        }
    }
}
