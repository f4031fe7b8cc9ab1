import Loop

/// The names in a directory, as they were at one time.
struct NameListing {
    /// So many are looked at.
    private static let maxNames = 65_536
    /// How often the directory is listed at the most.
    private static let maxListings = 16

    private(set) var inodes: [FileName: UInt64] = [:]
    /// Whether no name is missing.
    private(set) var isWhole = false

    /// Lists the directory again and again, until it has not changed in between.
    ///
    /// - Parameter isKept: whether a name with its inode is one of those.
    init(of folder: RawPath, where isKept: (FileName, UInt64) -> Bool) {
        for attempt in 1...Self.maxListings {
            let before = inodes
            guard list(folder, isKept) else { return }
            // A file that is renamed meanwhile may be missing.
            isWhole = attempt > 1 && inodes == before
            if isWhole { return }
        }
    }

    /// Returns whether it came to the end.
    private mutating func list(_ folder: RawPath, _ isKept: (FileName, UInt64) -> Bool) -> Bool {
        inodes = [:]
        var left = Self.maxNames
        let code = folder.withCString { path in
            DirectoryNames.forEach(in: path) { bytes, inode in
                let name = FileName(bytes: Array(bytes))
                if isKept(name, inode) { inodes[name] = inode }
                left -= 1
                return left > 0
            }
        }
        return code == 0 && left > 0
    }
}
