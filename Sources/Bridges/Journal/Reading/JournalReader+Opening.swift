import CSystemd
import Glibc

extension JournalReader {
    /// Opens the journal and tells the index what is wanted. The place is found by ``position()`` or
    /// ``position(after:)``.
    func open() throws(JournalError) {
        files = try JournalFiles.examine(source, follow: follow)
        if !follow { try DescriptorLimit.check(for: files.paths.count) }
        follower = NameFollower(source, follow: follow)
        try openFiles()
    }

    /// Opens what was found before.
    func openFiles() throws(JournalError) {
        close()
        let result = JournalHandle.open(
            files.areNamed ? .files(files.paths) : source,
            paths: files.paths,
            faultGuard,
            &handle
        )
        guard result >= 0, let handle else { throw failure("open", -result) }
        if case .files = source {
            // Files named one by one cannot be watched; see NameFollower.
        } else if follow {
            // Before seeking: it starts the watch on the directories and looks through them once more. It is also the
            // only call that tells when files were left out for want of descriptors. Without following it is spared:
            // ending the watch takes the system some 20 ms.
            descriptor = handle.descriptor()
            guard descriptor >= 0 else { throw failure("watch", -descriptor) }
            // A file that was renamed while the directory was looked through may be missing yet, and what it holds
            // would come too late.
            for _ in 0..<8 where hasNotice { _ = handle.process() }
        }
        // Before seeking, too: a match forgets the place.
        // Of no use where the index was damaged.
        let added = files.salvaged.isEmpty ? handle.add(terms) : 0
        guard added >= 0 else { throw failure("filter", -added) }
    }

    func close() {
        // Not by letting go of it alone: someone up the stack may still hold it.
        handle?.close()
        handle = nil
        descriptor = -1
    }

    /// Opens the journal again and goes on where it was.
    func reopen() throws(JournalError) {
        try openFiles()
        if let cursor = resume.cursor {
            replay = Replay(after: resume)
            isOnNext = try position(after: cursor)
        } else {
            try position()
        }
    }

    /// Opens the journal again to let go of memory, or to find the files whose notices were lost.
    func lookAgain() throws(JournalError) {
        if hasMissedNotices {
            hasMissedNotices = false
            // What went missing is noticed here, when it is compared with what there was.
            try process()
        }
        try reopen()
        memory.rebase()
    }

    func failure(_ verb: String, _ code: Int32) -> JournalError {
        switch source {
        case .system: JournalError("\(verb) this machine's journal", errno: code)
        case .namespace(let name): JournalError("\(verb) the journal of namespace", name, errno: code)
        case .directory(let path): JournalError("\(verb) the journal in", path, errno: code)
        case .files(let paths):
            JournalError(
                "\(verb) the journal file",
                paths.joined(separator: ", "),
                reason: code == ENODATA || code == EBADMSG ? "it is damaged beyond reading" : nil,
                errno: code
            )
        }
    }
}
