import Glibc

/// Lines of a file that were read together: at least one.
///
/// ```swift
/// import FileBridge
///
/// func count(_ lines: FileLines) -> Int {
///     var errors = 0
///     lines.forEach { line in
///         if line.starts(with: "ERROR".utf8) { errors += 1 }
///     }
///     return errors
/// }
/// ```
///
/// Two are equal if they have the same bytes; where these were read does not count.
public struct FileLines: Sendable, Hashable {
    /// As they are in the file, each with its line feed. The last one has none if it is a piece of a long line, or if the file ended
    /// without.
    public let bytes: [UInt8]
    /// Whether the last line is a piece of a line that exceeds the limit, and goes on with the next lines.
    public let isContinued: Bool
    /// Whether the first line is the rest of a line of which pieces came before.
    package private(set) var isRest = false
    /// The file's inode, and the offset of the first byte.
    var origin: (inode: UInt64, offset: Int)?
    /// The bytes of the file before the first one, as many as a ``FilePlace`` checks.
    private var before: [UInt8] = []

    /// For tests: lines to compare with those that are heard.
    ///
    /// - Parameters:
    ///   - bytes: not empty.
    ///   - isContinued: whether the last line goes on.
    public init(bytes: [UInt8], isContinued: Bool = false) {
        self.bytes = bytes
        self.isContinued = isContinued
    }

    init(bytes: [UInt8], isContinued: Bool = false, isRest: Bool, before: [UInt8]) {
        self.init(bytes: bytes, isContinued: isContinued)
        self.isRest = isRest
        self.before = before
    }

    /// The place behind the last line; `nil` for lines that were not read from a file, and for a line without a line feed at the end of
    /// a file that is not followed: the rest of it may be written later.
    public var place: FilePlace? { place(behind: bytes.count) }

    /// The place behind the first bytes.
    package func place(behind count: Int) -> FilePlace? {
        guard let origin else { return nil }
        let tail = bytes[..<count].suffix(FilePlace.maxTail)
        let isWhole = tail.count == FilePlace.maxTail
        return FilePlace(inode: origin.inode, offset: origin.offset + count, tail: isWhole ? tail : before + tail)
    }

    public static func == (a: FileLines, b: FileLines) -> Bool { a.bytes == b.bytes && a.isContinued == b.isContinued }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(isContinued)
    }

    /// Calls `body` with each line, without copying it: its bytes without the line feed, and without a carriage return before
    /// that. The buffer is valid during the call.
    ///
    /// - Throws: the error of `body`. Later lines are not visited.
    @inlinable
    public func forEach<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        try bytes.withUnsafeBufferPointer { (elements) throws(Failure) in
            let buffer = UnsafeRawBufferPointer(elements)
            var start = 0
            while start < buffer.count {
                let end = LineEnd.next(in: buffer, from: start)
                try body(UnsafeRawBufferPointer(rebasing: buffer[start..<end.content]))
                start = end.next
            }
        }
    }

    /// The same, and how many bytes come before the line's end.
    package func forEach(_ body: (_ line: UnsafeRawBufferPointer, _ end: Int) -> Void) {
        bytes.withUnsafeBytes { buffer in
            var start = 0
            while start < buffer.count {
                let end = LineEnd.next(in: buffer, from: start)
                body(UnsafeRawBufferPointer(rebasing: buffer[start..<end.content]), end.next)
                start = end.next
            }
        }
    }

    /// How many lines there are. Looks through the bytes.
    public var count: Int {
        var count = 0
        forEach { _ in count += 1 }
        return count
    }

    /// The lines as text, with U+FFFD in the place of bytes that are not UTF-8.
    public var text: [String] {
        var text: [String] = []
        forEach { text.append(String(decoding: $0, as: UTF8.self)) }
        return text
    }
}

/// The end of a line.
@usableFromInline
struct LineEnd {
    /// The end of its content.
    @usableFromInline let content: Int
    /// The beginning of the next line.
    @usableFromInline let next: Int

    static var lineFeed: UInt8 { 10 }
    static var carriageReturn: UInt8 { 13 }

    @usableFromInline
    static func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> LineEnd {
        guard let base = bytes.baseAddress, let found = memchr(base + start, CInt(lineFeed), bytes.count - start) else {
            return LineEnd(content: bytes.count, next: bytes.count)
        }
        let end = base.distance(to: UnsafeRawPointer(found))
        let hasReturn = end > start && bytes[end - 1] == carriageReturn
        return LineEnd(content: hasReturn ? end - 1 : end, next: end + 1)
    }

    private init(content: Int, next: Int) {
        self.content = content
        self.next = next
    }
}
