public import Bus
import Loop
public import SystemPackage

extension Signals {
    /// The lines of a file, and those that are written to it later. Cold. The file is followed by its name, as `tail
    /// -F` does: when it is rotated away, the rest of it is read first, and then the file that has replaced it.
    ///
    /// ```
    /// writer --a b----c----mv log log.1----d--
    /// lines  --[a b]-(caughtUp)-[c]---------[d]--
    /// ```
    ///
    /// Lines come in batches of bytes, as they were read together; the bytes are not changed. See ``FileLines`` for
    /// the definition of a line. While following, an unfinished line waits for its end. It is sent as it is when its
    /// file is over.
    ///
    /// A file that was moved away is read until there is something in the file that has replaced it. Until then its
    /// writer may not know of the new one. So logrotate may notify the daemon at any time. Names and links on the way
    /// to the file are watched, and so are moves of the file within its directory: several rotations may follow each
    /// other before the reader looks, and while the observer pauses, without a loss. Lines that are written to a
    /// moved file after the next one has begun are not read.
    ///
    /// Where the kernel does not tell of changes, because the user's inotify instances or watches are used up
    /// (`fs.inotify.max_user_instances`) or other machines write to the directory, the path is looked at when the file
    /// has been read, and every second. Files that came and went between two looks are found by their names and times,
    /// as behind a place; where these do not tell whether there was one, or in which order, as before the first file,
    /// there is a gap. A file with a name of another form is not found. Each look asks the kernel again for reports.
    ///
    /// A file that is missing is waited for, as are its directories, and is read from its first line. Where lines may
    /// be missing, there is a ``FileItem/gap(_:)``: a file that was truncated, that was deleted before it could be
    /// opened, or that cannot be opened. A truncation is recognised when the file is shorter than the part that was
    /// read, or has other bytes there.
    ///
    /// - Ends: if `follow` is false, at the place where the file ended when it was opened, after the line there. Otherwise
    ///   never.
    /// - Fails: with ``FileReadError``: at first, when there is something at the path that is no regular file or may
    ///   not be read, or nothing and `follow` is false; later, when the disk fails. The file is closed before the
    ///   failure is heard.
    /// - Cancelling: does not wait. A sleeping thread ends at once, another after the lines that it is sending, and
    ///   closes its files.
    /// - Pausing: the thread sleeps, and nothing wakes it. It holds its place in the file.
    /// - Buffers: the line that is not finished, in at most twice `lineLimit` bytes, and 128 KiB. At most 16 files are held open,
    ///   and at most 64 that were moved away behind a place, or between two looks.
    /// - Thread: one of its own for each subscription, `bus-lines`. Opening a file there may wait for the disk.
    ///
    /// - Parameters:
    ///   - path: of the file. A relative one is looked up from the working directory.
    ///   - start: where reading begins in the file that is there at first. The place is determined when the thread
    ///     opens the file, at the latest when ``FileItem/caughtUp`` is heard.
    ///   - follow: whether to wait for more.
    ///   - lineLimit: how many bytes a line has at most, at least 4. Longer ones come in pieces, which do not end inside a
    ///     character.
    public static func lines(
        following path: FilePath,
        from start: FileStart,
        follow: Bool = true,
        lineLimit: Int = 65_536
    ) -> some Signal<FileItem, FileReadError> {
        BlockingReaderSignal(FileLinesReading(path: path, start: start, follow: follow, limit: lineLimit))
            .named("lines(following: \(path))")
    }
}
