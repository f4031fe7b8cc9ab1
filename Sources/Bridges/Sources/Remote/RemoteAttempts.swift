import Glibc

/// The attempts to reach a machine: how long to wait for the next one, and what was said about it.
struct RemoteAttempts {
    private static let minPause = Duration.milliseconds(100)
    private static let maxPause = Duration.seconds(30)

    private let note: @Sendable (SourceNote) -> Void
    private var pause = minPause
    /// When the connection was lost; `nil` while there is one.
    private(set) var lostSince: ContinuousClock.Instant?

    /// - Parameter note: called with the first of several failures in a row.
    init(note: @escaping @Sendable (SourceNote) -> Void) {
        self.note = note
    }

    /// Waits for the next attempt. Of several failures in a row, the first is reported.
    ///
    /// - Parameter stop: a descriptor that is readable when nothing more is wanted.
    mutating func wait(after reason: String, orUntilReadable stop: CInt) {
        if lostSince == nil {
            lostSince = ContinuousClock.now
            let reason = reason.hasSuffix(".") ? reason.dropLast() : reason[...]
            note(.message("\(reason); trying again"))
        }
        var polled = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        let end = ContinuousClock.now.advanced(by: pause)
        pause = min(pause * 2, Self.maxPause)
        while true {
            let rest = ContinuousClock.now.duration(to: end)
            let milliseconds = rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000
            guard rest > .zero, poll(&polled, 1, CInt(milliseconds) + 1) <= 0 else { return }
        }
    }

    /// An entry came that shows that the connection works.
    ///
    /// - Returns: for how long there was none.
    mutating func reached() -> Duration? {
        defer { lostSince = nil }
        return lostSince?.duration(to: ContinuousClock.now)
    }

    /// An entry came that was not there before. Until then a machine that ends each connection at once is asked less and
    /// less often.
    mutating func progressed() { pause = Self.minPause }
}
