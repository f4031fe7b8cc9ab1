import Glibc

/// The state of what a zone is read from.
struct ZoneSource: Equatable {
    /// Tells one version of a file from another; a new one is written beside the old one and renamed.
    struct File: Equatable {
        private let device: UInt
        private let number: UInt
        private let size: Int
        private let seconds: Int
        private let nanoseconds: Int

        /// Nil when there is no file. A link is followed.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
            size = Int(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    /// What `TZ` says; nil for a zone that has a name.
    let variable: String?
    let file: File?
}
