import CLinux
import Glibc

/// The bytes of a file that were read and not yet sent. It is filled at its end, and lines are taken from its beginning.
///
/// Its capacity is at most twice the longest line and one reading, and little while nothing comes.
struct LineBuffer: ~Copyable {
    private static let minChunk = 16 << 10
    private static let maxChunk = 128 << 10

    private let limit: Int
    private var memory: UnsafeMutableRawBufferPointer
    /// The range of its content.
    private var start = 0
    private var end = 0
    /// The bytes of the file before its content, as many as a ``FilePlace`` checks.
    private var before: [UInt8] = []
    /// How much is read at once.
    private var chunk = minChunk
    /// A piece of the line at the beginning was sent: its end alone makes no empty line.
    private var isInsideLine = false

    /// - Parameter limit: how many bytes a line has at most; from 4 on.
    init(limit: Int) {
        self.limit = min(max(4, limit), 1 << 40)
        memory = .allocate(byteCount: Self.minChunk, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// Whether the last line has been sent to its end.
    var isAtLineStart: Bool { start == end && !isInsideLine }

    /// How many bytes of it have not been sent.
    var count: Int { end - start }

    /// The following bytes come behind these in their file.
    mutating func begin(behind bytes: [UInt8]) { before = bytes }

    // MARK: Filling

    /// The place for the next bytes. Lines that can be taken are taken before.
    mutating func freeCapacity() -> UnsafeMutableRawBufferPointer {
        if start == end { (start, end) = (0, 0) }
        if memory.count - end < chunk { makeCapacity() }
        return UnsafeMutableRawBufferPointer(rebasing: memory[end..<(end + chunk)])
    }

    /// So many bytes were put there.
    mutating func fill(_ count: Int) {
        end += count
        if count == chunk { chunk = min(chunk * 8, Self.maxChunk) }
    }

    /// Gives back memory; nothing is expected soon.
    mutating func rest() {
        guard start == end, memory.count > Self.minChunk else { return }
        (start, end, chunk) = (0, 0, Self.minChunk)
        memory.deallocate()
        memory = .allocate(byteCount: Self.minChunk, alignment: 16)
    }

    private mutating func makeCapacity() {
        let held = UnsafeRawBufferPointer(rebasing: memory[start..<end])
        if held.count + chunk <= memory.count, start >= held.count {
            memory.copyMemory(from: held)
        } else {
            // Twice as much, so that a line that comes in little pieces is not copied each time.
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: held.count * 2 + chunk, alignment: 16)
            larger.copyMemory(from: held)
            memory.deallocate()
            memory = larger
        }
        (start, end) = (0, held.count)
    }

    // MARK: Taking

    /// The next lines; nil when more must be read first.
    ///
    /// - Parameter isLast: whether nothing follows, so that a line that is not finished is one.
    mutating func next(isLast: Bool = false) -> FileLines? {
        guard skipLineEnd(isLast: isLast) else { return nil }
        var lineStart = start
        while lineStart < end {
            let window = min(end - lineStart, limit + 1)
            let found = lastLineFeed(from: lineStart, window)
            if found >= 0 {
                // All lines up to there are short enough.
                lineStart += found + 1
            } else if end - lineStart <= limit {
                if isLast { lineStart = end }
                break
            } else if memory[lineStart + limit] == LineEnd.carriageReturn, mayEndAfterReturn(lineStart, isLast: isLast)
            {
                // The longest line, with a carriage return behind it.
                guard end - lineStart > limit + 1 else { break }
                lineStart += limit + 2
            } else {
                return lineStart > start ? take(upTo: lineStart) : takePiece()
            }
        }
        return lineStart > start ? take(upTo: lineStart) : nil
    }

    /// The following bytes are another file's. The last line has been taken.
    mutating func finish() {
        (start, end) = (0, 0)
        before = []
        isInsideLine = false
    }

    private func mayEndAfterReturn(_ lineStart: Int, isLast: Bool) -> Bool {
        let lineFeed = lineStart + limit + 1
        return lineFeed < end ? memory[lineFeed] == LineEnd.lineFeed : !isLast
    }

    private func lastLineFeed(from position: Int, _ count: Int) -> Int {
        guard let base = memory.baseAddress else { return -1 }
        return clinux_last_index(base + position, count, CInt(LineEnd.lineFeed))
    }

    private mutating func take(upTo position: Int) -> FileLines {
        defer {
            isInsideLine = false
            advance(to: position)
        }
        return FileLines(bytes: Array(memory[start..<position]), isRest: isInsideLine, before: before)
    }

    private mutating func advance(to position: Int) {
        before = Array((before + memory[max(start, position - FilePlace.maxTail)..<position]).suffix(FilePlace.maxTail))
        start = position
    }

    /// The first part of a line that is longer than it may be. It does not end inside a character.
    private mutating func takePiece() -> FileLines {
        var count = limit
        // A character has at most three bytes after its first, so that the piece is not empty.
        while count > limit - 3, isContinuation(memory[start + count]) { count -= 1 }
        if isContinuation(memory[start + count]) { count = limit }
        defer {
            isInsideLine = true
            advance(to: start + count)
        }
        let piece = Array(memory[start..<(start + count)])
        return FileLines(bytes: piece, isContinued: true, isRest: isInsideLine, before: before)
    }

    private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Skips the end of a line that was sent completely. False when more bytes are needed to decide.
    private mutating func skipLineEnd(isLast: Bool) -> Bool {
        guard isInsideLine, start < end else { return true }
        if memory[start] == LineEnd.lineFeed {
            advance(to: start + 1)
            isInsideLine = false
        } else if memory[start] == LineEnd.carriageReturn {
            guard start + 1 < end else { return isLast }
            if memory[start + 1] == LineEnd.lineFeed {
                advance(to: start + 2)
                isInsideLine = false
            }
        }
        return true
    }
}
