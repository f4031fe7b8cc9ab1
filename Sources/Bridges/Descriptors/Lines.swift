public import Bus
public import SystemPackage

/// The treatment of lines that are longer than the limit.
public enum LongLines: Sendable, Hashable {
    /// Each comes in pieces as long as a line may be, and nothing is missing. A piece never ends inside a character.
    case split
    /// The first bytes of each come, and the rest of it is left out. This does not count as a loss.
    case truncate
}

extension Signal where Value == [UInt8] {
    /// The lines of a text that comes in pieces of bytes.
    ///
    /// ```
    /// self  --"a\nb"----"c\n"--|
    /// lines --"a"-------"bc"---|
    /// ```
    ///
    /// A line ends with a line feed, which is not part of it, nor is a carriage return before it. Bytes that are not
    /// UTF-8 are replaced with U+FFFD. The text after the last line feed is a line when it is not empty.
    ///
    /// - Ends: with the source, after the line that was not finished.
    /// - Fails: with the source; the line that was not finished comes before.
    /// - Cancelling: ends the source's subscription; of the lines that are being sent the rest is dropped.
    /// - Pausing: told to pause in the middle of a piece, it keeps the rest of that piece and pauses the source. If
    ///   the source cannot pause, 1,024 more pieces may wait; further ones are lost and counted.
    /// - Buffers: the unfinished line, at most `lineLimit` bytes; and the rest of pieces while the observer pauses.
    /// - Thread: the source's; after a pause, the one that ends it.
    ///
    /// - Parameters:
    ///   - lineLimit: how many bytes a line may have, at least 4.
    ///   - longLines: what happens to a longer line.
    @inlinable
    public func lines(lineLimit: Int = 65_536, longLines: LongLines = .split) -> some Signal<String, Failure> {
        LinesSignal<Self, String>(
            upstream: self,
            splitting: LineSplitting(limit: Swift.max(4, lineLimit), longLines: longLines)
        )
    }

    /// The same, each line as its bytes.
    package func lines(ofBytes limit: Int) -> some Signal<LineBytes, Failure> {
        LinesSignal<Self, LineBytes>(upstream: self, splitting: LineSplitting(limit: limit, longLines: .split))
    }
}

@frozen
@usableFromInline
struct LinesSignal<Upstream: Signal, Line: LineText>: Signal where Upstream.Value == [UInt8] {
    @usableFromInline typealias Value = Line
    @usableFromInline typealias Failure = Upstream.Failure
    @usableFromInline let upstream: Upstream
    @usableFromInline let splitting: LineSplitting

    @inlinable
    init(upstream: Upstream, splitting: LineSplitting) {
        self.upstream = upstream
        self.splitting = splitting
    }

    @inlinable
    func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let delivery = LineDelivery(observer, splitting)
        return LinesHandle(delivery, upstream.subscribe(LinesObserver(delivery)))
    }

    @usableFromInline static var chain: Chain { Upstream.chain.appending("lines") }
    @usableFromInline var chain: Chain { upstream.chain.appending("lines") }
}

extension Signals {
    /// The lines that are read from a descriptor. Cold. See ``Signals/bytes(from:chunk:on:)`` for reading, ending,
    /// cancelling and threads, and `lines(lineLimit:longLines:)` of a signal of bytes for what a line is.
    ///
    /// ```
    /// writer --"a\nb"---"c\n"---close
    /// lines  --"a"------"bc"----|
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to read; open when subscribed to, and still the caller's.
    ///   - lineLimit: how many bytes a line may have.
    ///   - longLines: what happens to a longer line.
    ///   - scheduler: where it is read and heard.
    @inlinable
    public static func lines(
        from descriptor: FileDescriptor,
        lineLimit: Int = 65_536,
        longLines: LongLines = .split,
        on scheduler: some Scheduler = ThreadScheduler.shared
    ) -> some Signal<String, DescriptorError> {
        bytes(from: descriptor, on: scheduler).lines(lineLimit: lineLimit, longLines: longLines)
    }
}
