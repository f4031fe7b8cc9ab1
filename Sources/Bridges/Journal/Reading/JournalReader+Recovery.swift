import CSystemd
import Glibc

extension JournalReader {
    /// How often the journal is opened anew at one place before it is given up.
    private static let mostFailures = 4

    /// Opens the journal anew after something went wrong, and reads on behind what was read before.
    func recover(_ gap: JournalGap) throws(JournalError) {
        failures += 1
        guard failures <= Self.mostFailures else { throw failure("read on in", gap.errno ?? EIO) }
        gaps.append(gap)
        hasCurrent = false
        try reopen()
        // The same entry may be at fault again. From the second time on it is passed over.
        if failures > 1, isOnNext || handle?.next() ?? 0 > 0 {
            isOnNext = false
            resume.passed(currentTime)
        }
    }

    /// Lets libsystemd take notice of new and deleted files.
    func process() throws(JournalError) {
        let result = handle?.process() ?? -EBADF
        if result < 0 {
            try recover(JournalGap(.reopened, errno: -result))
        } else if result == Int32(SD_JOURNAL_INVALIDATE) {
            noticeDeletion()
        }
    }

    /// Files come and go with every rotation. Something was missed only if all that is left is younger than what was read.
    private func noticeDeletion() {
        guard readUpTo > 0, let oldest = handle?.oldest(), oldest > readUpTo else { return }
        gaps.append(JournalGap(.deleted))
        readUpTo = oldest
    }

    /// libsystemd has no further entry.
    func atEnd() throws(JournalError) -> Step {
        replay = Replay()
        guard follow else { return .end }
        if follower.hasChanged() {
            // What the old file got before it was rotated away comes first.
            if handle?.next() ?? 0 > 0 {
                isOnNext = true
                return .busy
            }
            try followNewFiles()
            return .busy
        }
        readUpTo = max(readUpTo, Clocks.realtime())
        return .caughtUp
    }

    private func followNewFiles() throws(JournalError) {
        try open()
        if files.paths.count == 1 {
            // Whatever its times say, all of it is new.
            resume = ResumePoint()
            _ = handle?.seekHead()
            isOnNext = false
        } else if let cursor = resume.cursor {
            replay = Replay(after: resume)
            isOnNext = try position(after: cursor)
        }
    }
}
