import Bus
import Glibc

/// A line as text, or as its bytes.
@usableFromInline
protocol LineText: Sendable {
    /// A line, or a piece of a line that is longer than it may be.
    ///
    /// - Parameters:
    ///   - isContinued: whether another piece follows.
    ///   - isRest: whether pieces came before.
    init(bytes: some Collection<UInt8>, isContinued: Bool, isRest: Bool)
}

extension String: LineText {
    @inlinable
    init(bytes: some Collection<UInt8>, isContinued: Bool, isRest: Bool) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}

/// Finds the lines in pieces of bytes, one at a time, so that the sender can stop in the middle of a piece.
@usableFromInline
struct LineSplitting: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let longLines: LongLines
    /// The line that is not finished.
    @usableFromInline var rest: [UInt8] = []
    /// It was longer than it may be and has been sent: nothing of it is until it ends.
    @usableFromInline var isSkipping = false
    /// A part of the line was sent: its end alone makes no empty line.
    @usableFromInline var isContinued = false
    /// Its end was found, and it has not been sent.
    @usableFromInline var hasEnded = false

    @inlinable
    init(limit: Int, longLines: LongLines) {
        self.limit = limit
        self.longLines = longLines
    }

    /// The next line; nil when the bytes after `position` end no line, and have been taken.
    ///
    /// - Parameters:
    ///   - bytes: a piece, the same until this returns nil.
    ///   - position: how much of it has been taken.
    @inlinable
    mutating func next<Line: LineText>(in bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Line? {
        while true {
            if rest.count > limit {
                guard let endsHere = endsAfterReturn(in: bytes, at: position) else { return nil }
                guard endsHere else { return nextPart() }
                position += 1
                hasEnded = true
            }
            if hasEnded {
                if let line: Line = finish() { return line }
                continue
            }
            guard position < bytes.count else { return nil }
            // No more than shows that the line is too long; what is skipped is not kept.
            let isLong = !isSkipping && bytes.count - position > limit - rest.count
            let reach = isLong ? position + limit - rest.count + 1 : bytes.count
            let end = LineBounds.end(in: bytes, from: position, to: reach)
            let part = UnsafeBufferPointer(rebasing: bytes[position..<(end ?? reach)])
            position = end.map { $0 + 1 } ?? reach
            if end != nil, rest.isEmpty, !isContinued, !isSkipping, part.count <= limit {
                // Most lines: there in one piece, and not copied before they are text.
                let hasReturn = part.last == LineBounds.carriageReturn
                return Line(bytes: hasReturn ? part.dropLast() : part[...], isContinued: false, isRest: false)
            }
            if !isSkipping { rest.append(contentsOf: part) }
            hasEnded = end != nil
        }
    }

    /// Whether the byte behind the longest line is the carriage return of its end; nil when the next byte decides that.
    @usableFromInline
    func endsAfterReturn(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool? {
        guard rest.last == LineBounds.carriageReturn else { return false }
        return position < bytes.count ? bytes[position] == LineBounds.lineFeed : nil
    }

    /// The next part of the text after the last line feed, until there is none.
    @usableFromInline
    mutating func last<Line: LineText>() -> Line? {
        if rest.count > limit { return nextPart() }
        defer { rest = [] }
        return rest.isEmpty ? nil : Line(bytes: rest, isContinued: false, isRest: isContinued)
    }

    /// The first part of a line that is longer than it may be.
    @usableFromInline
    mutating func nextPart<Line: LineText>() -> Line {
        let count = LineBounds.wholeCharacters(in: rest, limit: limit)
        defer {
            isSkipping = longLines == .truncate
            isContinued = true
            if isSkipping { rest = [] } else { rest.removeFirst(count) }
        }
        return Line(bytes: rest[..<count], isContinued: longLines == .split, isRest: isContinued)
    }

    /// The line whose end was found; nil when all of it was sent before.
    @inlinable
    mutating func finish<Line: LineText>() -> Line? {
        let wasContinued = isContinued
        hasEnded = false
        isSkipping = false
        isContinued = false
        if rest.last == LineBounds.carriageReturn { rest.removeLast() }
        defer { rest.removeAll(keepingCapacity: true) }
        return rest.isEmpty && wasContinued ? nil : Line(bytes: rest, isContinued: false, isRest: wasContinued)
    }
}

/// Where lines and characters end.
@usableFromInline
enum LineBounds {
    fileprivate static var lineFeed: UInt8 { 10 }
    @usableFromInline static var carriageReturn: UInt8 { 13 }

    @usableFromInline
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to reach: Int) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + start, CInt(lineFeed), reach - start)
        else { return nil }
        return UnsafeRawPointer(base).distance(to: found)
    }

    /// How many of the first `limit` bytes end with a character.
    @usableFromInline
    static func wholeCharacters(in bytes: [UInt8], limit: Int) -> Int {
        var end = limit
        // A character has at most three bytes after its first, so that the count is at least 1.
        while end > limit - 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[end] & 0xC0 == 0x80 ? limit : end
    }
}
