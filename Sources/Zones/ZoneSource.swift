import Glibc

/// The state of the source of a zone.
struct ZoneSource: Equatable {
    /// Distinguishes versions of a file; a new version is written beside the old one and renamed.
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

    /// The value of `TZ`; nil for a zone that has a name.
    let variable: String?
    let file: File?
}
