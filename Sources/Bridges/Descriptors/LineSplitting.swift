public import Bus
import Glibc

/// Finds the lines in pieces of bytes.
@usableFromInline
struct LineSplitting<Failure: Error>: FlushingTransducer {
    @usableFromInline typealias Input = [UInt8]
    @usableFromInline typealias Output = String
    @usableFromInline typealias InputFailure = Failure

    @usableFromInline let limit: Int
    @usableFromInline let long: LongLine
    /// The line that is not finished.
    @usableFromInline var rest: [UInt8] = []
    /// It was longer than it may be and has been sent: nothing of it is until it ends.
    @usableFromInline var isSkipping = false
    /// A piece of it was sent: its end alone makes no empty line.
    @usableFromInline var isContinued = false

    @inlinable
    init(limit: Int, long: LongLine) {
        self.limit = limit
        self.long = long
    }

    @usableFromInline var name: String { "lines" }

    @inlinable
    mutating func next<Downstream: Observer & ~Copyable>(
        _ bytes: [UInt8],
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == String, Downstream.Failure == Failure {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                let end = LineBounds.end(in: bytes, from: start)
                let part = UnsafeBufferPointer(rebasing: bytes[start..<(end ?? bytes.count)])
                if take(part, isWhole: end != nil, to: &downstream) == .stop { return .stop }
                start = end.map { $0 + 1 } ?? bytes.count
            }
            return downstream.demand
        }
    }

    @inlinable
    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<Failure>,
        to downstream: consuming Downstream
    ) where Downstream.Value == String, Downstream.Failure == Failure {
        if !rest.isEmpty, downstream.demand == .more { _ = downstream.next(String(decoding: rest, as: UTF8.self)) }
        downstream.terminate(termination)
    }

    /// Takes a part of a line, `isWhole` saying that the line ends with it.
    @inlinable
    mutating func take<Downstream: Observer & ~Copyable>(
        _ part: UnsafeBufferPointer<UInt8>,
        isWhole: Bool,
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == String, Downstream.Failure == Failure {
        if isWhole, rest.isEmpty, !isContinued, !isSkipping, part.count <= limit {
            // Most lines: there in one piece, and not copied before they are text.
            let hasReturn = part.last == LineBounds.carriageReturn
            return downstream.next(String(decoding: hasReturn ? part.dropLast() : part[...], as: UTF8.self))
        }
        if !isSkipping { rest.append(contentsOf: part) }
        while rest.count > limit {
            let piece = LineBounds.wholeCharacters(in: rest, limit: limit)
            let demand = downstream.next(String(decoding: rest[..<piece], as: UTF8.self))
            isSkipping = long == .cut
            isContinued = true
            if isSkipping { rest = [] } else { rest.removeFirst(piece) }
            if demand == .stop { return .stop }
        }
        return isWhole ? finishLine(to: &downstream) : downstream.demand
    }

    @inlinable
    mutating func finishLine<Downstream: Observer & ~Copyable>(
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == String, Downstream.Failure == Failure {
        let wasContinued = isContinued
        isSkipping = false
        isContinued = false
        if rest.last == LineBounds.carriageReturn { rest.removeLast() }
        defer { rest.removeAll(keepingCapacity: true) }
        return rest.isEmpty && wasContinued
            ? downstream.demand : downstream.next(String(decoding: rest, as: UTF8.self))
    }
}

/// Where lines and characters end.
@usableFromInline
enum LineBounds {
    private static var lineFeed: UInt8 { 10 }
    @usableFromInline static var carriageReturn: UInt8 { 13 }

    @usableFromInline
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + start, CInt(lineFeed), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(base).distance(to: found)
    }

    /// How many of the first `limit` bytes end with a character.
    @usableFromInline
    static func wholeCharacters(in bytes: [UInt8], limit: Int) -> Int {
        var end = limit
        while end > limit - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[end] & 0xC0 == 0x80 ? limit : end
    }
}
