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
        // A file may be worse off than it was: what is left of it is looked for anew.
        let known = files.gaps
        files = try JournalFiles.examine(source, follow: follow)
        gaps += files.gaps.filter { !known.contains($0) }
        try reopen()
        // The same entry may be at fault again. From the second time on it is passed over.
        if failures > 1, isOnNext || handle?.next() ?? 0 > 0 {
            isOnNext = false
            resume.passed(currentTime)
        }
    }

    /// Lets libsystemd take notice of new and deleted files.
    func process() throws(JournalError) {
        faultGuard.renew()
        reportDeletion()
        var result = handle?.process() ?? -EBADF
        var hasChanged = result == Int32(SD_JOURNAL_INVALIDATE)
        // A renamed file is gone under its old name before it is there under the new one; without it, later entries
        // would come first.
        for _ in 0..<8 where result >= 0 && hasNotice {
            result = handle?.process() ?? -EBADF
            hasChanged = hasChanged || result == Int32(SD_JOURNAL_INVALIDATE)
        }
        if result < 0 {
            try recover(JournalGap(.reopened, errno: -result))
        } else if hasChanged {
            suspectDeletion()
        }
    }

    /// A journal that had no entries when it was last looked at has lost none.
    private func suspectDeletion() {
        guard let oldest = handle?.oldest() else { return }
        if let before = oldestKnown, before <= readUpTo, oldest > readUpTo {
            suspectedSince = suspectedSince ?? readUpTo
        }
        oldestKnown = oldest
    }

    /// Files come and go with every rotation. Something was missed only if all that is left is younger than what was
    /// read; and since a file may be missing for the moment in which it is renamed, only if that is still so at the
    /// next look.
    private func reportDeletion() {
        guard let since = suspectedSince else { return }
        suspectedSince = nil
        guard let oldest = handle?.oldest(), oldest > since else { return }
        gaps.append(JournalGap(.deleted))
    }

    /// libsystemd has no further entry.
    func atEnd() throws(JournalError) -> Step {
        replay = Replay()
        guard follow else { return .end }
        readUpTo = max(readUpTo, currentTime)
        if follower.hasChanged() {
            // What the old file got before it was rotated away comes first.
            if handle?.next() ?? 0 > 0 {
                isOnNext = true
                return .busy
            }
            try followNewFiles()
            return .busy
        }
        if hasMissedNotices {
            try lookAgain()
            return .busy
        }
        let now = Clocks.realtime()
        if hasNotice {
            try process()
            return gaps.isEmpty ? .busy : .gap(gaps.removeFirst())
        }
        reportDeletion()
        if !gaps.isEmpty { return .gap(gaps.removeFirst()) }
        if oldestKnown == nil { oldestKnown = handle?.oldest() }
        // No file came or went unnoticed, so nothing that is older was missed.
        readUpTo = max(readUpTo, now)
        return .caughtUp
    }

    /// Whether the watch on the directories has something to tell.
    var hasNotice: Bool {
        guard descriptor >= 0 else { return false }
        var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watch, 1, 0) > 0
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
