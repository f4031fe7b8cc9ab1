import Bus
import Glibc
import Loop
import SystemPackage

/// Reads the lines of the files that come to a path.
struct FileLinesReading: BlockingReading {
    typealias Value = FileItem
    typealias Failure = FileReadError

    let path: FilePath
    let start: FileStart
    let follow: Bool
    let limit: Int

    var threadName: String { "bus-lines" }

    func failure(_ error: BlockingReaderError) -> FileReadError {
        .system(operation: error.operation, errno: Errno(rawValue: error.code))
    }

    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(FileReadError) where Downstream.Value == FileItem, Downstream.Failure == FileReadError {
        let logs = LogQueue(RawPath(path), follow: follow) { output.isOpen }
        try logs.begin(start)
        // Only now: where reading begins does not depend on whether the observer pauses.
        guard output.waitUntilReady() else { return }
        var run = Run(logs: logs, buffer: LineBuffer(limit: limit), output: output)
        if follow { try run.follow() } else { try run.readOnce() }
    }
}

/// One subscription.
private struct Run<Downstream: Observer & ~Copyable>: ~Copyable
where Downstream.Value == FileItem, Downstream.Failure == FileReadError {
    /// So many readings follow each other before names are scanned.
    private static var readingsPerScan: Int { 16 }
    /// The least time between two readings of a file that grows, in microseconds.
    private static var pace: useconds_t { 100 }

    let logs: LogQueue
    var buffer: LineBuffer
    let output: BlockingReaderOutput<Downstream>
    private var isCaughtUp = false
    /// How many of the queue's elements that were there at first have not been read.
    private var initialCount: Int
    /// The next file has something in it: this one is read to its end once more, and then left.
    private var isLastReading = false
    private var hasRead = false
    /// The inode of the file that is in the buffer, and the offset behind what was read of it.
    private var origin: (inode: UInt64, offset: Int)?

    init(logs: LogQueue, buffer: consuming LineBuffer, output: BlockingReaderOutput<Downstream>) {
        self.logs = logs
        self.buffer = buffer
        self.output = output
        initialCount = logs.elements.count
        if case .log(let log)? = logs.first { self.buffer.begin(behind: log.before) }
    }

    // MARK: Once

    /// Reads each file to where its end was at the beginning, and to the end of the line there.
    mutating func readOnce() throws(FileReadError) {
        while output.isOpen, let element = logs.first {
            guard case .log(let log) = element else {
                guard finishFirst(telling: element) else { return }
                continue
            }
            guard try readOnce(log), finishFirst(telling: nil) else { return }
        }
    }

    /// - Returns: whether more is wanted.
    private mutating func readOnce(_ log: OpenLog) throws(FileReadError) -> Bool {
        let size = log.knownSize
        while output.isOpen {
            switch try log.read(into: buffer.freeCapacity()) {
            case .bytes(let count):
                filled(count, from: log)
                guard sendLines() else { return false }
                if size > 0, log.position >= size, buffer.isAtLineStart { return true }
            case .truncated(let lost):
                return sendLines(isLast: true) && output.send(.gap(FileGap(.truncated, lost: lost)))
            case .end: return true
            }
        }
        return false
    }

    // MARK: Following

    mutating func follow() throws(FileReadError) {
        var target = 0
        if case .log(let log)? = logs.elements.last { target = log.knownSize }
        var readings = 0
        while output.isOpen {
            guard let element = logs.first else {
                guard tellCaughtUp(), try rest() else { return }
                continue
            }
            guard case .log(let log) = element else {
                guard finishFirst(telling: element) else { return }
                continue
            }
            switch try log.read(into: buffer.freeCapacity()) {
            case .bytes(let count):
                filled(count, from: log)
                hasRead = true
                guard sendLines() else { return }
                if initialCount < 1 || initialCount == 1 && log.position >= target, !tellCaughtUp() { return }
                readings += 1
                if readings % Self.readingsPerScan == 0 { _ = try logs.rescan() }
            case .truncated(let lost):
                guard finishLine(), output.send(.gap(FileGap(.truncated, lost: lost))) else { return }
                buffer.begin(behind: log.before)
            case .end:
                if initialCount <= 1, !tellCaughtUp() { return }
                guard try goOn() else { return }
            }
        }
    }

    /// All of the file has been read.
    private mutating func goOn() throws(FileReadError) -> Bool {
        if isLastReading { return finishFirst(telling: nil) }
        if logs.isFirstOver {
            isLastReading = true
            return true
        }
        // What follows is empty.
        guard tellCaughtUp() else { return false }
        return try rest()
    }

    private mutating func finishFirst(telling element: LogQueue.Element?) -> Bool {
        logs.removeFirst()
        initialCount -= 1
        isLastReading = false
        // Reading ends here, while the writer may go on with the line: its end is no place.
        if logs.first == nil { origin = nil }
        guard finishLine() else { return false }
        if case .gap(let gap)? = element { return output.send(.gap(gap)) }
        return true
    }

    /// Waits until there may be something to read, unless that is so already.
    private mutating func rest() throws(FileReadError) -> Bool {
        if hasRead {
            hasRead = false
            usleep(Self.pace)
        }
        if try logs.rescan() { return output.isOpen }
        if let gap = logs.takeAside(), !output.send(.gap(gap)) { return false }
        buffer.rest()
        logs.wait(until: output.stopDescriptor)
        guard output.isOpen else { return false }
        _ = try logs.rescan()
        return output.isOpen
    }

    // MARK: Sending

    private mutating func filled(_ count: Int, from log: OpenLog) {
        buffer.fill(count)
        origin = (UInt64(log.identity.number), log.position)
    }

    private mutating func sendLines(isLast: Bool = false) -> Bool {
        while var lines = buffer.next(isLast: isLast) {
            lines.origin = origin.map { ($0.inode, $0.offset - buffer.count - lines.bytes.count) }
            guard output.send(.lines(lines)) else { return false }
        }
        return true
    }

    /// Ends the line that was begun: the next bytes are not a part of it.
    private mutating func finishLine() -> Bool {
        guard sendLines(isLast: true) else { return false }
        buffer.finish()
        return true
    }

    private mutating func tellCaughtUp() -> Bool {
        guard !isCaughtUp else { return true }
        isCaughtUp = true
        return output.send(.caughtUp)
    }
}
