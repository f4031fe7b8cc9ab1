import CLinux

/// The identity of the file at a path.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let bornSeconds: Int64
    let bornNanoseconds: Int64

    /// Nil when no file is visible.
    static func of(_ path: RawPath) -> FileIdentity? {
        var found = clinux_identity()
        guard path.withCString({ clinux_file_identity($0, &found) }) == 0 else { return nil }
        return FileIdentity(
            device: found.device,
            number: found.number,
            bornSeconds: found.born_seconds,
            bornNanoseconds: found.born_nanoseconds
        )
    }
}
