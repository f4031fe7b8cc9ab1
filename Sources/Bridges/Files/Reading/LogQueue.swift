import Bus
import Glibc
import SystemPackage

/// The files that come to a path, one after the other, each opened as soon as it is seen and kept until it has been read.
///
/// Used by one thread.
final class LogQueue {
    /// The next element to read or send.
    enum Element {
        case log(OpenLog)
        case gap(FileGap)
    }

    /// So many files are kept open at once.
    private static let maxOpen = 16
    /// How often names may change while a file is being opened, before the opened file is taken as it is.
    private static let attempts = 16
    /// The poll interval, in milliseconds, for changes that are not reported.
    private static let pollInterval: CInt = 1_000
    /// How long the other half of a move is waited for, in milliseconds.
    private static let moveInterval: CInt = 10

    private let path: RawPath
    private let isWanted: () -> Bool
    /// Nil when the file is not followed.
    private let watch: NameWatch?
    private(set) var elements: [Element] = []
    /// The file that was opened last.
    private var newest: OpenLog.Identity?
    /// It was found at the path, so its arrival may still be reported.
    private var isNewestUnreported = false
    /// Something was reported since the last scan, or a file was opened; some of what happened was not reported.
    private var hasNews = false
    private var isIncomplete = false
    /// Another way may lead to the file since it was last walked.
    private var wayChanged = false
    /// Why what is at the path cannot be opened, since when, in nanoseconds of `CLOCK_MONOTONIC`, and whether that has been reported.
    private var refusal: (error: FileReadError, since: Int64, isReported: Bool)?
    /// Since when it is not known to which name a file was moved, in nanoseconds of `CLOCK_MONOTONIC`.
    private var awaitsMoveSince: Int64?
    /// The path was looked at before.
    private var hasLooked = false

    init(_ path: RawPath, follow: Bool, isWanted: @escaping () -> Bool) {
        self.path = path
        self.isWanted = isWanted
        watch = follow ? NameWatch(path) : nil
    }

    // MARK: The first file

    /// Opens the file at the path, if there is one, and goes to the start of reading.
    func begin(_ start: FileStart) throws(FileReadError) {
        guard watch != nil else {
            do throws(OpenLog.Refusal) {
                append(try OpenLog.open(path, followsLink: true, isWanted: isWanted))
            } catch {
                switch error {
                case .failed(let failure): throw failure
                case .missing, .link:
                    throw .system(operation: "open \(path)", errno: .noSuchFileOrDirectory)
                case .unwanted: return
                }
            }
            return try seekFirst(start)
        }
        try rescanPath()
        if let refusal { throw refusal.error }
        try seekFirst(start)
    }

    private func seekFirst(_ start: FileStart) throws(FileReadError) {
        if case .behind(let place) = start { return try goOn(behind: place) }
        if case .log(let log)? = elements.first { try log.seek(start, isWanted: isWanted) }
    }

    /// Puts the files before the one at the path that are still to be read.
    private func goOn(behind place: FilePlace) throws(FileReadError) {
        var present: OpenLog?
        if case .log(let log)? = elements.first { present = log }
        if let present, UInt64(present.identity.number) == place.inode, try present.has(place) {
            return try present.seek(.behind(place), isWanted: isWanted)
        }
        let earlier = try EarlierLogs(behind: place, of: path, present: present, isWanted).elements
        elements.insert(contentsOf: earlier, at: 0)
        let logs = earlier.compactMap { if case .log(let log) = $0 { log } else { nil } }
        try logs.first?.seek(.behind(place), isWanted: isWanted)
        if newest == nil { newest = logs.last?.identity }
        for log in logs { watch?.add(log) }
    }

    // MARK: Reading on

    var first: Element? { elements.first }

    /// Whether something follows the first file that shows that it is no longer written to.
    var isFirstOver: Bool {
        elements.dropFirst().contains { element in
            switch element {
            case .gap: true
            case .log(let log): log.hasContent
            }
        }
    }

    func removeFirst() {
        guard !elements.isEmpty else { return }
        guard case .log(let log) = elements.removeFirst(), queued(log.identity) == nil else { return }
        watch?.remove(log)
        // Another file may get its number when it is closed.
        if log.identity == newest { newest = nil }
    }

    /// A gap to report when the first file has been read, which is not over by that: what is at the path has been unreadable
    /// for as long as one waits between two scans, or files have come and gone in between.
    func takeAside() -> FileGap? {
        if isMissedAside {
            isMissedAside = false
            return FileGap(.missed)
        }
        guard let refusal, !refusal.isReported,
            MonotonicTime.nanoseconds - refusal.since >= Int64(Self.pollInterval) * 1_000_000
        else { return nil }
        self.refusal?.isReported = true
        return FileGap(.unreadable(refusal.error))
    }

    private var isMissedAside = false

    // MARK: Scanning

    /// Takes the reported changes, and opens the files that have come. False when there is nothing new.
    func rescan() throws(FileReadError) -> Bool {
        guard let watch else { return false }
        let before = newest
        takeNews(from: watch)
        let knowsWay = isHearing && !wayChanged
        if knowsWay, watch.trail?.next != nil { openArrivals() }
        if !knowsWay || wayChanged { try rescanPath() }
        // Retried while it is refused.
        if watch.trail?.next == nil, refusal != nil || isVacant != watch.watchesParents { try rescanPath() }
        if isIncomplete, before != nil, newest != before { insertGapBeforeNewest() }
        isIncomplete = false
        defer { hasNews = false }
        return hasNews
    }

    private func takeNews(from watch: NameWatch) {
        let news = watch.take()
        hasNews = hasNews || news.isAny
        isIncomplete = isIncomplete || news.isIncomplete
        wayChanged = wayChanged || news.wayChanged
    }

    /// Whether all changes are reported.
    private var isHearing: Bool {
        watch?.isComplete == true
            && elements.allSatisfy { element in
                if case .log(let log) = element { log.watch != nil } else { true }
            }
    }

    /// Whether no file is at the path, as far as is known.
    private var isVacant: Bool { watch?.trail?.isAtName != true }

    /// Checks the way and the path without regard to reported changes.
    private func rescanPath() throws(FileReadError) {
        guard let watch else { return }
        // If not, changes may be reported from here on, but those before were not.
        let knowsArrivals = watch.watchesFolder || !hasLooked
        for attempt in 1...Self.attempts {
            wayChanged = false
            try watch.watchWay()
            // What was written before is not reported.
            for case .log(let log) in elements where watch.add(log) { hasNews = true }
            if knowsArrivals, watch.trail?.next != nil {
                openArrivals()
                guard wayChanged else { return }
                continue
            }
            let version = watch.trail?.version
            let found = OpenLog.identity(of: path)
            let isKnown = found != nil && found == newest && !endsWithGap
            let result = isKnown ? nil : opened(path, followsLink: true)
            let unreported = knowsArrivals && isHearing ? [] : try unreported(before: result)
            takeNews(from: watch)
            // The opened file may be one of several that have come.
            let isLast = unreported.isEmpty || OpenLog.identity(of: path) == found
            if wayChanged || watch.trail?.version != version || !isLast {
                guard attempt == Self.attempts else { continue }
                isIncomplete = true
            }
            for element in unreported {
                switch element {
                case .log(let log): append(log)
                case .gap: elements.append(element)
                }
            }
            accept(result)
            hasLooked = true
            awaitsMoveSince = nil
            watch.trail?.start(isAtName: found != nil)
            return
        }
    }

    /// The files that came between the newest and the one at the path, where their arrivals are not reported: found as
    /// those behind a place are.
    private func unreported(
        before result: Result<OpenLog, OpenLog.Refusal>?
    ) throws(FileReadError) -> [Element] {
        guard case .success(let present)? = result, present.identity != newest else { return [] }
        guard let newest else { return hasLooked ? [.gap(FileGap(.gone))] : [] }
        let beginning = FilePlace(inode: UInt64(newest.number), offset: 0, tail: [])
        let earlier = try EarlierLogs(behind: beginning, of: path, present: present, isWanted).elements
        guard case .log? = earlier.first else { return earlier }
        return Array(earlier.dropFirst())
    }

    private func accept(_ result: Result<OpenLog, OpenLog.Refusal>?) {
        switch result {
        case nil: refusal = nil
        case .success(let log)?:
            refusal = nil
            isNewestUnreported = true
            append(log)
        case .failure(let error)?: note(error)
        }
    }

    /// Stops where the way has changed.
    private func openArrivals() {
        guard let watch else { return }
        var attempt = 0
        while let next = watch.trail?.next, openCount < Self.maxOpen, isWanted() {
            switch next {
            case .gone:
                appendGap()
                watch.trail?.take()
            case .moving:
                guard hasWaitedForMove() else { return }
                awaitsMoveSince = nil
                watch.trail?.giveUpMove()
            case .named(let name):
                attempt += 1
                let version = watch.trail?.version
                let result = opened(watch.folder.appending(name.bytes), followsLink: false)
                takeNews(from: watch)
                if wayChanged { return }
                // The opened file may be another one that has got the name since.
                if watch.trail?.version != version, attempt < Self.attempts { continue }
                attempt = 0
                // That it was moved may not have been reported yet.
                if case .failure(.missing) = result, !hasWaitedForMove() { return }
                awaitsMoveSince = nil
                switch result {
                case .success(let log):
                    refusal = nil
                    // Behind a gap, the newest file follows itself: the gap alone would end it.
                    if log.identity != newest || endsWithGap {
                        append(log)
                    } else if !isNewestUnreported {
                        // Its arrival was reported twice, so one of the two may have been another file.
                        isMissedAside = true
                    }
                    isNewestUnreported = false
                case .failure(.link) where name == watch.trail?.name:
                    // It leads to the file.
                    wayChanged = true
                    return
                case .failure(.missing), .failure(.link): appendGap()
                case .failure(let error):
                    note(error)
                    if name == watch.trail?.name { return }
                    // It has gone from the path.
                    if case .failed(.system) = error { appendGap() }
                    refusal = nil
                }
                watch.trail?.take()
            }
        }
    }

    /// Whether a move was waited for long enough, which begins now if it has not begun.
    private func hasWaitedForMove() -> Bool {
        let now = MonotonicTime.nanoseconds
        let since = awaitsMoveSince ?? now
        awaitsMoveSince = since
        return now - since >= Int64(Self.moveInterval) * 1_000_000
    }

    private func opened(_ path: RawPath, followsLink: Bool) -> Result<OpenLog, OpenLog.Refusal> {
        do throws(OpenLog.Refusal) {
            return .success(try OpenLog.open(path, followsLink: followsLink, isWanted: isWanted))
        } catch {
            return .failure(error)
        }
    }

    private func note(_ error: OpenLog.Refusal) {
        guard case .failed(let failure) = error else {
            refusal = nil
            return
        }
        if refusal?.error != failure { refusal = (failure, MonotonicTime.nanoseconds, false) }
    }

    private var openCount: Int {
        elements.count { if case .log = $0 { true } else { false } }
    }

    private func append(_ log: OpenLog) {
        newest = log.identity
        hasNews = true
        // One that has come back is read on.
        let log = queued(log.identity) ?? log
        elements.append(.log(log))
        watch?.add(log)
    }

    private func queued(_ identity: OpenLog.Identity) -> OpenLog? {
        for case .log(let log) in elements where log.identity == identity { return log }
        return nil
    }

    private var endsWithGap: Bool { if case .gap? = elements.last { true } else { false } }

    private func appendGap() {
        if endsWithGap { return }
        hasNews = true
        elements.append(.gap(FileGap(.missed)))
    }

    private func insertGapBeforeNewest() { elements.insert(.gap(FileGap(.missed)), at: max(0, elements.count - 1)) }

    // MARK: Waiting

    /// Returns when a change was reported, when it is time to scan, or when `stop` is readable.
    func wait(until stop: CInt) {
        let isPolling = !isHearing || refusal != nil
        let timeout = awaitsMoveSince != nil ? Self.moveInterval : isPolling ? Self.pollInterval : -1
        var descriptors = [
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var result: CInt = 0
        repeat { result = poll(&descriptors, 2, timeout) } while result < 0 && errno == EINTR
    }
}
