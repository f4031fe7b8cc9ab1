import Glibc

/// A file that may be one of a log's.
struct RotatedLog {
    let name: FileName
    /// `nil` where its name is not made of the log's.
    let rotation: RotatedName?
    let identity: OpenLog.Identity
    let changedAt: (seconds: Int, nanoseconds: Int)

    /// `nil` for what is no file.
    init?(_ name: FileName, in folder: RawPath, of log: FileName) {
        var status = stat()
        guard folder.appending(name.bytes).withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        self.name = name
        rotation = RotatedName("\(name)", of: "\(log)")
        identity = OpenLog.Identity(status)
        changedAt = OpenLog.changedAt(status)
    }

    /// Whether the file from which it is made is still there.
    func isBeingCompressed(_ names: NameListing) -> Bool {
        rotation?.uncompressed.map { names.inodes[FileName($0)] != nil } ?? false
    }
}
