import Bus
package import SystemPackage

/// A place in a log, behind a line: reading goes on there after a restart, whatever name the file has then in its directory.
///
/// It is the file's inode, the offset in it, and a checksum (FNV-1a) of the 64 bytes before, or of all if there are fewer, which tells the file
/// from another one that got the inode, and from one that was truncated and written anew. It does not depend on which lines were read
/// together. As text it is as in `inode=917532;offset=4711;tail=64:9c1f0a77d2e4b815`.
///
/// ```swift
/// import Bus
/// import FileBridge
///
/// func goOn(from saved: String) -> AnySignal<FileItem, FileReadError> {
///     let start = FilePlace(saved).map(FileStart.behind) ?? .head
///     return Signals.lines(following: "/var/log/shop.log", from: start)
///         .on(next: { item in if let place = item.lines?.place { print("save", place) } })
///         .eraseToAnySignal()
/// }
/// ```
public struct FilePlace: Sendable, Hashable {
    /// So many bytes before the offset are checked, if there are so many.
    static let maxTail = 64
    /// A file is recognised by its bytes alone, under another inode, by so many.
    private static let minTail = 16

    let inode: UInt64
    let offset: Int
    private let tailCount: Int
    private let tailHash: UInt64

    /// - Parameter tail: bytes that end at the offset; at most the last ``maxTail`` count.
    init(inode: UInt64, offset: Int, tail: some BidirectionalCollection<UInt8>) {
        self.inode = inode
        self.offset = offset
        let tail = tail.suffix(min(Self.maxTail, offset))
        tailCount = tail.count
        tailHash = FNV1a.hash(tail)
    }

    /// Before the first line of the file that is at a path now; `nil` where none is.
    package init?(beginningOf path: FilePath) {
        guard let identity = OpenLog.identity(of: RawPath(path)) else { return nil }
        self.init(inode: UInt64(identity.number), offset: 0, tail: [])
    }

    /// Whether it can be found in a copy of the file.
    var isInCopies: Bool { tailCount >= Self.minTail }

    /// The offset where the checked bytes begin.
    var tailStart: Int { offset - tailCount }

    /// Whether these are the bytes between ``tailStart`` and the offset.
    func isBehind(_ bytes: some Collection<UInt8>) -> Bool { bytes.count == tailCount && FNV1a.hash(bytes) == tailHash }

}

extension FilePlace: LosslessStringConvertible {
    /// Reads the text that ``description`` is; `nil` for any other.
    public init?(_ description: String) {
        let parts = description.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let inode = Self.value(of: "inode", in: parts[0]).flatMap({ UInt64($0) }),
            let offset = Self.value(of: "offset", in: parts[1]).flatMap({ Int($0) }),
            (0...Int.max >> 1).contains(offset),
            let tail = Self.value(of: "tail", in: parts[2])?.split(separator: ":"), tail.count == 2,
            let count = Int(tail[0]), (0...min(Self.maxTail, offset)).contains(count),
            let hash = UInt64(tail[1], radix: 16)
        else { return nil }
        (self.inode, self.offset, tailCount, tailHash) = (inode, offset, count, hash)
    }

    private static func value(of name: String, in part: Substring) -> Substring? {
        part.hasPrefix(name + "=") ? part.dropFirst(name.utf8.count + 1) : nil
    }

    public var description: String {
        let hash = String(tailHash, radix: 16)
        let zeros = String(repeating: "0", count: 16 - hash.utf8.count)
        return "inode=\(inode);offset=\(offset);tail=\(tailCount):\(zeros)\(hash)"
    }
}
